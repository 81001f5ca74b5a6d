import { randomBytes } from 'node:crypto';
import { lstat, rename } from 'node:fs/promises';
import { printJson, tryParseJson } from '../../contract/exact-json.js';
import { createdApiKeySchema } from '../../contract/resources/api-key.js';
import { z } from '../../contract/schema.js';
import { fileMessageOf, systemCodeOf } from '../../errors.js';
import { createPrivately, removeDurably, replacePrivately } from '../../files/durable-file.js';
import { identityOf, readPrivate } from '../../files/own-file.js';
import { pendingCreationSchema } from '../../profiles/parse-profile-file.js';
import { type RecordSigner, seal, whyNotSealed } from '../../profiles/record-seal.js';

/** The record: what is about to be created and by which process; the key, too, once it exists. */
const recordSchema = z.looseObject({
  creation: pendingCreationSchema,
  pid: z.number(),
  created: z.optional(createdApiKeySchema),
});
type Content = Pick<z.infer<typeof recordSchema>, 'creation' | 'pid' | 'created'>;

/** What is in the record's place. */
export interface FoundRecord extends Partial<Content> {
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
    if (data !== undefined && problem === undefined) return data;
    const ignored = `${this.path} ${file.problem === undefined ? problem : `is not trusted: ${problem}`}`;
    return { pid: data?.pid, ignored };
  }

  /**
   * Writes the record, durably, in place of what was read. A foreign one is moved aside first, for it may hold a secret.
   *
   * @returns where the foreign one is now
   * @throws what the file system says; EEXIST, or an Error, when another process was faster
   */
  async write(content: Content): Promise<string | undefined> {
    const aside = await this.#makeRoom();
    const text = `${printJson(seal(content, this.#place, this.#signer))}\n`;
    if (this.#identity === undefined) await createPrivately(this.path, text);
    else await replacePrivately(this.path, text);
    this.#identity = identityOf(await lstat(this.path));
    return aside;
  }

  /** Removes the record, durably; the names beside it are on the disk, too. */
  remove(): Promise<void> {
    return removeDurably(this.path);
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

/** As `read`, for who only looks: what cannot be read is not acted on either. */
export async function peekAtRecord(record: SecretRecord): Promise<FoundRecord> {
  return record.read().catch((error: unknown) => ({
    ignored: `${record.path} cannot be read: ${fileMessageOf(error)}`,
  }));
}
