import { lstat, rm } from 'node:fs/promises';
import { describeFileError, OrgctlError, readSystemCode } from '../../errors/errors.js';
import { adviseWriting, refuseWriting } from '../../errors/write-failure.js';
import { createPrivately, tryCreating } from '../../platform/durable-file.js';
import { readPrivate } from '../../platform/own-file.js';
import type { PendingCreation } from '../../profiles/file/profile-file.js';
import type { RecordSigner } from '../../profiles/record-seal.js';
import { describeRun } from './live-run.js';
import { type FoundRecord, isOfLiveRun, SecretRecord } from './secret-record.js';

type Created = NonNullable<FoundRecord['created']>;

const taken = 'the file exists and is not overwritten';

const secretFileBytes = 64 * 1024;

export function recordBeside(path: string, signer: RecordSigner): SecretRecord {
  return new SecretRecord(`${path}.pending`, path, signer);
}

/** A new file (0600) for one secret. Until the secret is stored, `<path>.pending` records progress. */
export class SecretFile {
  readonly path: string;
  readonly #record: SecretRecord;
  readonly #pid: number;
  readonly #pathName: string;
  #left: FoundRecord = {};
  #creation: PendingCreation | undefined;

  constructor(path: string, pid: number, signer: RecordSigner, pathName = '--secret-file') {
    this.path = path;
    this.#pathName = pathName;
    this.#pid = pid;
    this.#record = recordBeside(path, signer);
  }

  /** Reads an interrupted run's record. @throws UsageError or ConfigError if the path cannot be used */
  async open(): Promise<FoundRecord> {
    const [exists, hasLeft] = await Promise.all([this.#exists(this.path), this.#exists(this.#record.path)]);
    if (hasLeft) this.#left = await this.#try(() => this.#record.read());
    if (exists && !(await this.#isOurs())) throw this.#refusal(taken);
    if (isOfLiveRun(this.#left, this.#pid)) {
      const { pid } = this.#left;
      throw this.#refusal(`process ${pid} seems to be using it; if it is not, remove ${this.#record.path}`);
    }
    return this.#left;
  }

  /**
   * Writes the record durably before creating a key. @returns where an untrusted record was moved
   * @throws UsageError if the file exists by now: while this run has the record, no other creates the file
   */
  async begin(creation: PendingCreation): Promise<string | undefined> {
    const isFirst = this.#creation === undefined && this.#left.creation === undefined;
    this.#left = {};
    this.#creation = creation;
    const aside = await this.#try(() => this.#record.write({ creation, ...this.#run }));
    if (!(await this.#exists(this.path))) return aside;
    if (isFirst) await this.abandon();
    throw this.#refusal(taken);
  }

  assertWritable(): Promise<void> {
    return this.#try(() => tryCreating(this.#record.path));
  }

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

  abandon(): Promise<void> {
    return this.#record.remove();
  }

  get #run() {
    return { ...describeRun(this.#pid), pid: this.#pid };
  }

  /** Whether a run was killed while writing the recorded secret to the file. */
  async #isOurs(): Promise<boolean> {
    const { secret } = this.#left.created ?? {};
    if (secret === undefined || !(await this.#exists(this.path))) return false;
    const { text, problem } = await this.#try(() => readPrivate(this.path, secretFileBytes));
    return problem === undefined && secret.startsWith(text);
  }

  async #exists(path: string): Promise<boolean> {
    const found = await this.#try(() =>
      lstat(path).catch((error: unknown) => {
        if (readSystemCode(error) === 'ENOENT') return undefined;
        throw error;
      }),
    );
    // Reading a pipe or device would block.
    if (found !== undefined && !found.isFile()) throw this.#refusal(`${path} is not a file`);
    return found !== undefined;
  }

  async #try<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      throw error instanceof OrgctlError ? error : this.#refusal(describeFileError(error), error);
    }
  }

  #refusal(reason: string, cause?: unknown): OrgctlError {
    return refuseWriting(`${this.#pathName} ${this.path}: ${reason}`, { ...adviseWriting(cause), cause });
  }
}
