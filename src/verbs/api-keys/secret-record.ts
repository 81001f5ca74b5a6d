import { randomBytes } from 'node:crypto';
import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createdApiKeySchema } from '../../api/resources/api-key.js';
import { z } from '../../api/schema/schema.js';
import { describeFileError, readSystemCode } from '../../errors/errors.js';
import {
  createPrivately,
  removeDurably,
  renameDurably,
  replacePrivately,
} from '../../platform/durable-file.js';
import { withLock } from '../../platform/file-lock.js';
import { identifyFile, type ReadFile, readPrivate, whyNotPrivate } from '../../platform/own-file.js';
import { pendingCreationSchema } from '../../profiles/file/parse-profile-file.js';
import {
  type RecordMaker,
  type RecordSigner,
  readOtherMaker,
  seal,
  whyNotSealed,
} from '../../profiles/record-seal.js';
import { printJson, tryParseJson } from '../../text/exact-json.js';
import { isLive } from './live-run.js';

/** A planned creation and the process that planned it; after the creation, also the key. */
const recordSchema = z.looseObject({
  creation: pendingCreationSchema,
  pid: z.number(),
  started: z.optional(z.string()),
  created: z.optional(createdApiKeySchema),
});
type RecordContent = Pick<z.infer<typeof recordSchema>, 'creation' | 'pid' | 'started' | 'created'>;

export function isOfLiveRun(record: FoundRecord, ownPid: number): boolean {
  return isLive(record, { until: record.creation?.until ?? record.until }, ownPid);
}

export interface FoundRecord extends Partial<RecordContent> {
  /** The attempt's deadline, if the recorded creation is not usable. */
  readonly until?: string | undefined;
  readonly ignored?: string;
  /** Whom an ignored record names, if that is another key or service. */
  readonly maker?: RecordMaker | undefined;
}

const recordBytes = 16 * 1024 * 1024;

/** A record in its own file (0600). Each write replaces the file, so that no open descriptor sees a secret. */
export class SecretRecord {
  readonly path: string;
  readonly #place: string;
  readonly #signer: RecordSigner;
  /** The file as this run last read or wrote it. */
  #identity: string | undefined;
  #isForeign = false;
  /** This run wrote the file; no other run takes it over while this process is alive. */
  #isOwn = false;
  /** Path of a newer record that a killed run did not put in place. */
  #newer: string | undefined;
  #parts: readonly string[] = [];

  constructor(path: string, place: string, signer: RecordSigner) {
    this.path = path;
    this.#place = place;
    this.#signer = signer;
  }

  /** Reads the record, if any. @throws file system errors */
  async read(): Promise<FoundRecord> {
    const file = await readPrivate(this.path, recordBytes).catch((error: unknown) => {
      if (readSystemCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    this.#identity = file?.identity;
    // A full disk or a power failure can leave the file empty; nothing had begun.
    if (file === undefined || file.text === '') return {};
    const content = tryParseJson(file.text);
    const { data } = recordSchema.safeParse(content);
    const problem =
      file.problem ??
      whyNotSealed(content, this.#place, this.#signer) ??
      (data === undefined ? 'was written by another version of orgctl' : undefined);
    this.#isForeign = problem !== undefined;
    if (data !== undefined && problem === undefined) return (await this.#readNewer(data)) ?? data;
    const ignored = `${this.path} ${file.problem === undefined ? problem : `is not trusted: ${problem}`}`;
    const maker = file.problem === undefined ? readOtherMaker(content, this.#signer) : undefined;
    return { pid: data?.pid, started: data?.started, until: data?.creation.until, ignored, maker };
  }

  /**
   * Replaces the record durably. Moves an untrusted one aside, because it may contain a secret.
   * @returns where an untrusted record was moved
   * @throws file system errors; ConfigError of the lock; if another process was first, EEXIST or an Error
   */
  write(content: RecordContent): Promise<string | undefined> {
    return this.#takingOver(async (assertHeld) => {
      assertHeld();
      const aside = await this.#makeRoom();
      const text = `${printJson(seal(content, this.#place, this.#signer))}\n`;
      assertHeld();
      if (this.#identity === undefined) await createPrivately(this.path, text);
      else await replacePrivately(this.path, text);
      this.#identity = identifyFile(await lstat(this.path));
      this.#isOwn = true;
      return aside;
    });
  }

  /** Puts a newer record in place, because it has the key's secret. @throws as `write` */
  async putNewerInPlace(): Promise<void> {
    const newer = this.#newer;
    if (newer === undefined) return;
    await this.#takingOver(async (assertHeld) => {
      assertHeld();
      await this.#makeRoom();
      assertHeld();
      await renameDurably(newer, this.path);
      this.#identity = identifyFile(await lstat(this.path));
    });
  }

  async remove(): Promise<void> {
    for (const part of this.#parts) await rm(part, { force: true });
    await removeDurably(this.path);
  }

  /** Finds a killed run's newer record of the same creation, and partial files. Ignores files that are not private. */
  async #readNewer({ creation, created }: RecordContent): Promise<RecordContent | undefined> {
    if (created !== undefined) return undefined;
    const parts: string[] = [];
    let newer: RecordContent | undefined;
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
      .filter((name) => isTemporaryName(basename(this.path), name))
      .map((name) => join(directory, name));
  }

  #takingOver<Result>(work: (assertHeld: () => void) => Promise<Result>): Promise<Result> {
    if (this.#isOwn || this.#identity === undefined) return work(() => undefined);
    return withLock({ path: `${this.path}.lock`, of: this.path }, work);
  }

  async #makeRoom(): Promise<string | undefined> {
    if (this.#identity === undefined) return undefined;
    const identity = await lstat(this.path).then(identifyFile, (error: unknown) => {
      if (readSystemCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (identity === undefined) this.#identity = undefined;
    else if (identity !== this.#identity) {
      throw new Error(`another process has written ${this.path}`);
    }
    if (identity === undefined || !this.#isForeign) return undefined;
    const aside = `${this.path}.${randomBytes(4).toString('hex')}`;
    await rename(this.path, aside);
    this.#identity = undefined;
    this.#isForeign = false;
    return aside;
  }
}

/** Reads a private file of this user; `undefined` for any other. */
async function readOwn(path: string): Promise<ReadFile | undefined> {
  try {
    if (whyNotPrivate(await lstat(path)) !== undefined) return undefined;
    const file = await readPrivate(path, recordBytes);
    return file.problem === undefined ? file : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a record; if that fails, returns the reason as `ignored`. */
export async function peekAtRecord(record: SecretRecord): Promise<FoundRecord> {
  return record.read().catch((error: unknown) => ({
    ignored: `${record.path} cannot be read: ${describeFileError(error)}`,
  }));
}

/** Whether `each` is a temporary name that `replacePrivately` makes for the file `name`. */
function isTemporaryName(name: string, each: string): boolean {
  return each.startsWith(`${name}.`) && /^\.[0-9a-f]{12}\.tmp$/.test(each.slice(name.length));
}
