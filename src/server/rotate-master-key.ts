import { randomBytes } from 'node:crypto';
import { rename, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ConfigError } from '../errors.js';
import { masterKeyLength } from '../storage/cipher.js';
import { type KeyChange, type Rotation, rotateMasterKey } from '../storage/rotate-master-key.js';
import { databaseName } from './data-directory.js';
import { decodeMasterKey, masterKeyName, readMasterKey } from './master-key.js';
import { openEngine } from './open-engine.js';
import { writePrivately } from './private-file.js';
import type { ServerOptions } from './server-options.js';

export interface RotateOptions extends Pick<ServerOptions, 'database' | 'masterKey'> {
  /** The data directory. */
  readonly data: string;
  /** The key to change to, 64 hexadecimal characters; generated where keys are in files. */
  readonly newMasterKey?: string | undefined;
}

/** What was done, and the file in which the new key is now, if it is in one. */
export interface RotationOutcome extends Rotation {
  readonly keyFile?: string;
}

/**
 * Encrypts the data of a server with another master key. Interrupted at any point, it is run again, and goes on with the
 * key that it began with: that is in `master.key.new` until the data is encrypted with it.
 * @throws ConfigError when a server uses the data, a key is missing or does not fit, or the data cannot be written.
 */
export async function changeMasterKey(options: RotateOptions): Promise<RotationOutcome> {
  const path = resolve(options.data);
  if (options.database === undefined) await requireData(join(path, databaseName));
  const { change, finish } = await keysOf(path, options);
  if (change.current.equals(change.next)) throw new ConfigError('the new master key is the old one');
  const engine = await openEngine(join(path, databaseName), options.database);
  const rotation = await rotateMasterKey(engine, change);
  return { ...rotation, ...(await finish()) };
}

interface Keys {
  readonly change: KeyChange & { readonly current: Buffer };
  /** Puts the new key in the place of the old one. */
  finish(): Promise<{ keyFile?: string }>;
}

async function keysOf(path: string, { masterKey, newMasterKey }: RotateOptions): Promise<Keys> {
  if (masterKey === undefined) return keysOfFiles(join(path, masterKeyName), newMasterKey);
  if (newMasterKey === undefined) {
    throw new ConfigError('there is no new master key to change to', {
      hint: 'set ORGCTL_SERVE_NEW_MASTER_KEY; make one with: node -p "crypto.randomBytes(32).toString(\'hex\')"',
    });
  }
  const current = decodeMasterKey(masterKey, 'the master key (ORGCTL_SERVE_MASTER_KEY)');
  const next = decodeMasterKey(newMasterKey, nameOfNew);
  return { change: { current, next }, finish: () => Promise.resolve({}) };
}

const nameOfNew = 'the new master key (ORGCTL_SERVE_NEW_MASTER_KEY)';

async function keysOfFiles(file: string, given: string | undefined): Promise<Keys> {
  const current = await readMasterKey(file);
  if (current === undefined) {
    throw new ConfigError(`${file} is missing`, {
      hint: 'name the data directory with --data, or set ORGCTL_SERVE_MASTER_KEY',
    });
  }
  const pending = `${file}.new`;
  const next =
    given === undefined
      ? ((await readMasterKey(pending)) ?? randomBytes(masterKeyLength))
      : decodeMasterKey(given, nameOfNew);
  // On the disk before anything is encrypted with it.
  await writePrivately(pending, `${next.toString('hex')}\n`);
  return {
    change: { current, next },
    async finish() {
      await rename(pending, file);
      return { keyFile: file };
    },
  };
}

async function requireData(database: string): Promise<void> {
  await stat(database).catch((cause: unknown) => {
    throw new ConfigError(`there is no data: ${database} cannot be found`, {
      hint: 'name the data directory with --data',
      cause,
    });
  });
}
