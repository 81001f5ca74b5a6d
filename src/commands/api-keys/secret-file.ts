import { lstat, readFile, rm } from 'node:fs/promises';
import { tryParseJson } from '../../contract/exact-json.js';
import { createdApiKeySchema } from '../../contract/resources/api-key.js';
import { z } from '../../contract/schema.js';
import { fileMessageOf, systemCodeOf, UsageError } from '../../errors.js';
import { removeDurably, writeSynced } from '../../files/durable-file.js';
import { type PendingCreation, pendingCreationSchema } from '../../profiles/parse-profile-file.js';
import { isRunning } from '../../terminal/process-system.js';

/** The lines of the record file: what is about to be created and by which process; then the key, once it exists. */
const lineSchema = z.object({
  creation: z.optional(pendingCreationSchema),
  pid: z.optional(z.number()),
  created: z.optional(createdApiKeySchema),
});
type Line = z.infer<typeof lineSchema>;
type Created = NonNullable<Line['created']>;

/**
 * A new file (0600) that holds one secret; existing files are never overwritten. While the key is created and stored,
 * `<path>.pending` records the progress, so that a run after a crash can resume.
 */
export class SecretFile {
  readonly path: string;
  readonly #beside: string;
  readonly #pid: number;
  #left: Line | undefined;

  constructor(path: string, pid: number) {
    this.path = path;
    this.#pid = pid;
    this.#beside = `${path}.pending`;
  }

  /**
   * What an interrupted run left.
   *
   * @throws UsageError when the file exists, another process is working on it, or it cannot be read
   */
  async open(): Promise<Pick<Line, 'creation' | 'created'>> {
    const [exists, hasLeft] = await Promise.all([this.#exists(this.path), this.#exists(this.#beside)]);
    if (hasLeft) this.#left = parseLines(await this.#try(() => readFile(this.#beside, 'utf8')));
    if (exists && !(await this.#isOurs())) throw this.#refusal('the file exists and is not overwritten');
    const { pid = this.#pid } = this.#left ?? {};
    if (pid !== this.#pid && isRunning(pid)) {
      throw this.#refusal(`process ${pid} seems to be using it; if it is not, remove ${this.#beside}`);
    }
    return this.#left ?? {};
  }

  /** Creates the record, durably: so it is known before there is a key whether the directory can be written. */
  async begin(creation: PendingCreation): Promise<void> {
    const flag = this.#left === undefined ? 'wx' : 'w';
    this.#left = {};
    const line = `${JSON.stringify({ creation, pid: this.#pid })}\n`;
    await this.#try(() =>
      writeSynced(this.#beside, flag, line).catch(async (error: unknown) => {
        // An empty one where the disk is full. One that was there, or came meanwhile, is not this run's.
        if (flag === 'wx' && systemCodeOf(error) !== 'EEXIST') await rm(this.#beside, { force: true });
        throw error;
      }),
    );
  }

  /** Stores the secret, durably, and removes the record. */
  async keep(created: Created & { readonly secret: string }): Promise<void> {
    await this.#try(async () => {
      await writeSynced(this.#beside, 'a', `${JSON.stringify({ created })}\n`);
      if (await this.#isOurs()) {
        await rm(this.path, { force: true });
      }
      await writeSynced(this.path, 'wx', created.secret);
      await this.abandon();
    });
  }

  /** Syncs the file's name, too. */
  abandon(): Promise<void> {
    return removeDurably(this.#beside);
  }

  /** Whether the file holds part of the recorded secret: a run was killed while it wrote it. */
  async #isOurs(): Promise<boolean> {
    const { secret } = this.#left?.created ?? {};
    if (secret === undefined || !(await this.#exists(this.path))) return false;
    return secret.startsWith(await this.#try(() => readFile(this.path, 'utf8')));
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
    return new UsageError(`--secret-file ${this.path}: ${reason}`, { cause });
  }
}

/** All lines taken together. A line that was cut off by a crash is ignored: nothing was done yet that relied on it. */
function parseLines(text: string): Line {
  const lines = text.split('\n').map((line) => lineSchema.safeParse(tryParseJson(line)).data);
  return Object.assign({}, ...lines);
}
