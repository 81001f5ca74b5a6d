import { lstat, rm } from 'node:fs/promises';
import { fileMessageOf, systemCodeOf, UsageError } from '../../errors/errors.js';
import { createPrivately } from '../../platform/durable-file.js';
import { readPrivate } from '../../platform/own-file.js';
import type { PendingCreation } from '../../profiles/file/profile-file.js';
import type { RecordSigner } from '../../profiles/record-seal.js';
import { runOf } from './live-run.js';
import { type FoundRecord, isOfLiveRun, SecretRecord } from './secret-record.js';

type Created = NonNullable<FoundRecord['created']>;

/** Bytes that a secret file of ours may have. */
const mostBytes = 64 * 1024;

/** The record of the secret file at a path. */
export function recordBeside(path: string, signer: RecordSigner): SecretRecord {
  return new SecretRecord(`${path}.pending`, path, signer);
}

/**
 * A new file (0600) that holds one secret; existing files are never overwritten. While the key is created and stored,
 * `<path>.pending` records the progress, so that a run after a crash can resume.
 */
export class SecretFile {
  readonly path: string;
  readonly #record: SecretRecord;
  readonly #pid: number;
  readonly #pathName: string;
  #left: FoundRecord = {};
  #creation: PendingCreation | undefined;

  /** @param pathName what errors call the path */
  constructor(path: string, pid: number, signer: RecordSigner, pathName = '--secret-file') {
    this.path = path;
    this.#pathName = pathName;
    this.#pid = pid;
    this.#record = recordBeside(path, signer);
  }

  /**
   * What an interrupted run left.
   *
   * @throws UsageError when the file exists, another process is working on it, or it cannot be read
   */
  async open(): Promise<FoundRecord> {
    const [exists, hasLeft] = await Promise.all([this.#exists(this.path), this.#exists(this.#record.path)]);
    if (hasLeft) this.#left = await this.#try(() => this.#record.read());
    if (exists && !(await this.#isOurs())) throw this.#refusal('the file exists and is not overwritten');
    if (isOfLiveRun(this.#left, this.#pid)) {
      const { pid } = this.#left;
      throw this.#refusal(`process ${pid} seems to be using it; if it is not, remove ${this.#record.path}`);
    }
    return this.#left;
  }

  /**
   * Creates the record, durably: so it is known before there is a key whether the directory can be written.
   *
   * @returns where a foreign record was moved
   */
  async begin(creation: PendingCreation): Promise<string | undefined> {
    this.#left = {};
    this.#creation = creation;
    return this.#try(() => this.#record.write({ creation, ...this.#run }));
  }

  /** Stores the secret, durably, and removes the record. */
  async keep(created: Created & { readonly secret: string }): Promise<void> {
    const creation = this.#creation;
    await this.#try(async () => {
      if (creation === undefined) await this.#record.putNewerInPlace();
      else await this.#record.write({ creation, ...this.#run, created });
      if (await this.#isOurs()) {
        await rm(this.path, { force: true });
      }
      await createPrivately(this.path, created.secret);
      await this.abandon();
    });
  }

  /** Syncs the file's name, too. */
  abandon(): Promise<void> {
    return this.#record.remove();
  }

  get #run() {
    return { ...runOf(this.#pid), pid: this.#pid };
  }

  /** Whether the file holds part of the recorded secret: a run was killed while it wrote it. */
  async #isOurs(): Promise<boolean> {
    const { secret } = this.#left.created ?? {};
    if (secret === undefined || !(await this.#exists(this.path))) return false;
    const { text, problem } = await this.#try(() => readPrivate(this.path, mostBytes));
    return problem === undefined && secret.startsWith(text);
  }

  async #exists(path: string): Promise<boolean> {
    const found = await this.#try(() =>
      lstat(path).catch((error: unknown) => {
        if (systemCodeOf(error) === 'ENOENT') return undefined;
        throw error;
      }),
    );
    // A pipe or a device would be waited for.
    if (found !== undefined && !found.isFile()) throw this.#refusal(`${path} is not a file`);
    return found !== undefined;
  }

  async #try<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      throw error instanceof UsageError ? error : this.#refusal(fileMessageOf(error), error);
    }
  }

  #refusal(reason: string, cause?: unknown): UsageError {
    return new UsageError(`${this.#pathName} ${this.path}: ${reason}`, { cause });
  }
}
