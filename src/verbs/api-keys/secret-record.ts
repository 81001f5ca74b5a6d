import { randomBytes } from 'node:crypto';
import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createdApiKeySchema } from '../../api/resources/api-key.js';
import { z } from '../../api/schema/schema.js';
import { ConfigError, fileMessageOf, systemCodeOf } from '../../errors/errors.js';
import {
  createPrivately,
  isTemporaryOf,
  removeDurably,
  renameDurably,
  replacePrivately,
} from '../../platform/durable-file.js';
import { withLock } from '../../platform/file-lock.js';
import { identityOf, type ReadFile, readPrivate, whyNotPrivate } from '../../platform/own-file.js';
import { pendingCreationSchema } from '../../profiles/file/parse-profile-file.js';
import { type RecordSigner, seal, whyNotSealed } from '../../profiles/record-seal.js';
import { printJson, tryParseJson } from '../../text/exact-json.js';
import { isLive } from './live-run.js';

/** The record: what is about to be created and by which process; the key, too, once it exists. */
const recordSchema = z.looseObject({
  creation: pendingCreationSchema,
  pid: z.number(),
  started: z.optional(z.string()),
  created: z.optional(createdApiKeySchema),
});
type Content = Pick<z.infer<typeof recordSchema>, 'creation' | 'pid' | 'started' | 'created'>;

/** Whether the process that wrote a record, and not this one, is still at it. */
export function isOfLiveRun(record: FoundRecord, ownPid: number): boolean {
  return isLive(record, { until: record.creation?.until ?? record.until }, ownPid);
}

/** What is in the record's place. */
export interface FoundRecord extends Partial<Content> {
  /** When its attempt must be over, where there is no creation to act on. */
  readonly until?: string | undefined;
  /** Why it is not acted on, naming it; the process is named all the same. */
  readonly ignored?: string;
}

const mostBytes = 16 * 1024 * 1024;

/**
 * The record of a creation in a file (0600) of its own, sealed for the secret file that it is of. Each change is a new
 * file in its place, so that nobody holds open what a secret is written to.
 */
export class SecretRecord {
  readonly path: string;
  readonly #place: string;
  readonly #signer: RecordSigner;
  /** The file that was read, or written by this run. */
  #identity: string | undefined;
  #isForeign = false;
  /** Whether this run wrote what is there: then no other one takes it over, because its process is alive. */
  #isOwn = false;
  /** A newer record that a killed run wrote and did not put in place. */
  #newer: string | undefined;
  /** What killed runs wrote in part. */
  #parts: readonly string[] = [];

  /** @param place the absolute path of the secret file */
  constructor(path: string, place: string, signer: RecordSigner) {
    this.path = path;
    this.#place = place;
    this.#signer = signer;
  }

  /** Reads what is there; nothing is fine. @throws what the file system says */
  async read(): Promise<FoundRecord> {
    const file = await readPrivate(this.path, mostBytes).catch((error: unknown) => {
      if (systemCodeOf(error) === 'ENOENT') return undefined;
      throw error;
    });
    this.#identity = file?.identity;
    // Empty: the disk was full, or the power failed, before anything was begun.
    if (file === undefined || file.text === '') return {};
    // Records of the first version had a second line for the key.
    const content = tryParseJson(file.text.split('\n', 1).join());
    const { data } = recordSchema.safeParse(content);
    const problem = file.problem ?? whyNotSealed(content, this.#place, this.#signer);
    this.#isForeign = problem !== undefined || data === undefined;
    if (data !== undefined && problem === undefined) return (await this.#readNewer(data)) ?? data;
    const ignored = `${this.path} ${file.problem === undefined ? problem : `is not trusted: ${problem}`}`;
    return { pid: data?.pid, started: data?.started, until: data?.creation.until, ignored };
  }

  /**
   * Writes the record, durably, in place of what was read. A foreign one is moved aside first, for it may hold a secret.
   *
   * @returns where the foreign one is now
   * @throws what the file system says; EEXIST, or an Error, when another process was faster
   */
  write(content: Content): Promise<string | undefined> {
    return this.#takingOver(async (assertHeld) => {
      const aside = await this.#makeRoom();
      const text = `${printJson(seal(content, this.#place, this.#signer))}\n`;
      assertHeld();
      if (this.#identity === undefined) await createPrivately(this.path, text);
      else await replacePrivately(this.path, text);
      this.#identity = identityOf(await lstat(this.path));
      this.#isOwn = true;
      return aside;
    });
  }

  /** Puts the newer record that was read, if any, in place: it has the secret of the key. @throws as `write` */
  async putNewerInPlace(): Promise<void> {
    const newer = this.#newer;
    if (newer === undefined) return;
    await this.#takingOver(async (assertHeld) => {
      await this.#makeRoom();
      assertHeld();
      await renameDurably(newer, this.path);
      this.#identity = identityOf(await lstat(this.path));
    });
  }

  /** Removes the record, durably; the names beside it are on the disk, too. */
  async remove(): Promise<void> {
    for (const part of this.#parts) await rm(part, { force: true });
    await removeDurably(this.path);
  }

  /**
   * Looks beside the record for what a run was killed at: a whole record with the secret of the same creation's key, and
   * parts of records, which are removed with this one. What does not fit may be somebody else's.
   */
  async #readNewer({ creation, created }: Content): Promise<Content | undefined> {
    if (created !== undefined) return undefined;
    const parts: string[] = [];
    let newer: Content | undefined;
    for (const path of await this.#temporaryFiles()) {
      const file = await readOwn(path);
      if (file === undefined) continue;
      const content = tryParseJson(file.text);
      if (content === undefined) parts.push(path);
      const { data } = recordSchema.safeParse(content);
      const fits = data !== undefined && whyNotSealed(content, this.#place, this.#signer) === undefined;
      if (!fits || data.created === undefined || data.creation.id !== creation.id) continue;
      newer = data;
      this.#newer = path;
    }
    this.#parts = parts;
    return newer;
  }

  async #temporaryFiles(): Promise<string[]> {
    const directory = dirname(this.path);
    const names = await readdir(directory).catch(() => []);
    return names
      .filter((name) => isTemporaryOf(basename(this.path), name))
      .map((name) => join(directory, name));
  }

  /** Of two runs that take over the same record at once, one does. */
  async #takingOver<Result>(work: (assertHeld: () => void) => Promise<Result>): Promise<Result> {
    if (this.#isOwn || this.#identity === undefined) return work(() => undefined);
    const lock = `${this.path}.lock`;
    return withLock(lock, work).catch((error: unknown) => {
      if (!(error instanceof ConfigError)) throw error;
      throw new Error(`another process seems to be taking over ${this.path}: ${lock} is in the way`, {
        cause: error,
      });
    });
  }

  async #makeRoom(): Promise<string | undefined> {
    if (this.#identity === undefined) return undefined;
    const identity = await lstat(this.path).then(identityOf, (error: unknown) => {
      if (systemCodeOf(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (identity === undefined) this.#identity = undefined;
    else if (identity !== this.#identity) {
      throw new Error(`another process has written ${this.path} meanwhile`);
    }
    if (identity === undefined || !this.#isForeign) return undefined;
    const aside = `${this.path}.${randomBytes(4).toString('hex')}`;
    await rename(this.path, aside);
    this.#identity = undefined;
    this.#isForeign = false;
    return aside;
  }
}

/** A file of this user that is closed to others; any other is not even opened. */
async function readOwn(path: string): Promise<ReadFile | undefined> {
  try {
    if (whyNotPrivate(await lstat(path)) !== undefined) return undefined;
    const file = await readPrivate(path, mostBytes);
    return file.problem === undefined ? file : undefined;
  } catch {
    return undefined;
  }
}

/** As `read`, for who only looks: what cannot be read is not acted on either. */
export async function peekAtRecord(record: SecretRecord): Promise<FoundRecord> {
  return record.read().catch((error: unknown) => ({
    ignored: `${record.path} cannot be read: ${fileMessageOf(error)}`,
  }));
}
