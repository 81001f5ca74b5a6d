import { lstat, readFile, rm } from 'node:fs/promises';
import { tryParseJson } from '../../contract/exact-json.js';
import { createdApiKeySchema } from '../../contract/resources/api-key.js';
import { z } from '../../contract/schema.js';
import { fileMessageOf, systemCodeOf, UsageError } from '../../errors.js';
import { removeDurably, writeSynced } from '../../files/durable-file.js';
import { type PendingCreation, pendingCreationSchema } from '../../profiles/parse-profile-file.js';
import { isRunning } from '../../terminal/process-system.js';

/** The lines of the file beside: what is about to be created and by which process; then the key, once it is there. */
const lineSchema = z.object({
  creation: z.optional(pendingCreationSchema),
  pid: z.optional(z.number()),
  created: z.optional(createdApiKeySchema),
});
type Line = z.infer<typeof lineSchema>;
type Created = NonNullable<Line['created']>;

/**
 * A new file of mode 0600 that holds one secret. None that exists is overwritten. While the key is created and its
 * secret stored, `<path>.pending` tells what is going on, so that a run after a crash can go on.
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
   * @throws UsageError when the file exists, another process is at it, or the place cannot be read
   */
  async open(): Promise<Pick<Line, 'creation' | 'created'>> {
    const [exists, hasLeft] = await Promise.all([this.#exists(this.path), this.#exists(this.#beside)]);
    if (hasLeft) this.#left = parseLines(await this.#try(() => readFile(this.#beside, 'utf8')));
    if (exists && !(await this.#isOurs())) throw this.#refusal('the file exists and is not overwritten');
    const { pid } = this.#left ?? {};
    if (pid !== undefined && pid !== this.#pid && isRunning(pid)) {
      throw this.#refusal(`process ${pid} seems to be at it; if it is not, remove ${this.#beside}`);
    }
    return this.#left ?? {};
  }

  /** Makes the file beside, durably: whether the place can be written is known before there is a key. */
  async begin(creation: PendingCreation): Promise<void> {
    const flag = this.#left === undefined ? 'wx' : 'w';
    this.#left = { creation };
    await this.#try(() =>
      writeSynced(this.#beside, flag, `${JSON.stringify({ creation, pid: this.#pid })}\n`),
    );
  }

  /** Stores the secret, durably, and removes the file beside. */
  async keep(created: Created & { readonly secret: string }): Promise<void> {
    await this.#try(async () => {
      await writeSynced(this.#beside, 'a', `${JSON.stringify({ created })}\n`);
      if (await this.#isOurs()) await rm(this.path, { force: true });
      await writeSynced(this.path, 'wx', created.secret);
      await this.abandon();
    });
  }

  /** Has the name of the file itself on the disk, too. */
  abandon(): Promise<void> {
    return removeDurably(this.#beside);
  }

  /** Whether the file is a part of the secret that the file beside has: a run was killed while it wrote it. */
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

/** What all lines together tell. One that was cut off by a crash tells nothing: nothing was done yet in reliance on it. */
function parseLines(text: string): Line {
  const lines = text.split('\n').map((line) => lineSchema.safeParse(tryParseJson(line)).data ?? {});
  return Object.assign({}, ...lines);
}
