import { type BigIntStats, renameSync, statSync } from 'node:fs';
import { readMessage } from '../../errors/errors.js';
import { StoreBroken } from '../database/store-unavailable.js';
import type { CommitWatch } from '../engine/engine.js';
import { areCheckpointsHeld } from './checkpoint-hold.js';
import type { SqliteConnection } from './connection.js';

/** Pages in the log before SQLite merges it; SQLite's default. */
const checkpointPages = 1000;

interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
}

/** Detects that database files were deleted or replaced. SQLite would keep writing to the old files. */
export class FileWatch implements CommitWatch {
  readonly #path: string;
  readonly #place: string;
  readonly #database: SqliteConnection;
  readonly #identities: readonly (readonly [path: string, FileIdentity | undefined])[];
  #areHeld = false;

  constructor(path: string, place: string, database: SqliteConnection) {
    this.#path = path;
    this.#place = place;
    this.#database = database;
    this.#identities = [path, `${path}-wal`].map((file) => [file, identityAt(file)] as const);
  }

  before(): void {
    this.after();
    const areHeld = areCheckpointsHeld(this.#path);
    if (areHeld === this.#areHeld) return;
    this.#database.pragma(`wal_autocheckpoint = ${areHeld ? 0 : checkpointPages}`);
    this.#areHeld = areHeld;
  }

  after(): void {
    for (const [path, identity] of this.#identities) {
      const reason = describeLoss(path, identity);
      if (reason === undefined) continue;
      this.#setLogAside();
      throw new StoreBroken(this.#place, `${reason}; writes stop until it is back or the server restarts`);
    }
  }

  isInPlace(): boolean {
    return this.#identities.every(([path, identity]) => describeLoss(path, identity) === undefined);
  }

  /** Moves the log of a replaced database away; otherwise the next process would apply it to the new database. */
  #setLogAside(): void {
    const [database, log] = this.#identities;
    if (database === undefined || log === undefined || identityAt(this.#path) === undefined) return;
    if (describeLoss(...database) === undefined || describeLoss(...log) !== undefined) return;
    try {
      renameSync(`${this.#path}-wal`, `${this.#path}-wal.of-replaced`);
    } catch {
      // The caller reports the replaced database anyway.
    }
  }
}

function describeLoss(path: string, identity: FileIdentity | undefined): string | undefined {
  try {
    const now = toIdentity(statSync(path, { bigint: true, throwIfNoEntry: false }));
    if (now === undefined) return `${path} was deleted or moved`;
    const isSame = now.inode === identity?.inode && now.device === identity?.device;
    return isSame ? undefined : `${path} was replaced by another file`;
  } catch (error) {
    return `${path} can no longer be found: ${readMessage(error)}`;
  }
}

function identityAt(path: string): FileIdentity | undefined {
  try {
    return toIdentity(statSync(path, { bigint: true, throwIfNoEntry: false }));
  } catch {
    return undefined;
  }
}

function toIdentity(stats: BigIntStats | undefined): FileIdentity | undefined {
  return stats && { device: stats.dev, inode: stats.ino };
}
