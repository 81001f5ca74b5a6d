import { resolve } from 'node:path';
import type { createdApiKeySchema } from '../../api/resources/api-key.js';
import type { z } from '../../api/schema/schema.js';
import type { Context } from '../../cli/context.js';
import { UsageError } from '../../errors/errors.js';
import { assertFree, type PendingCreation } from '../../profiles/file/profile-file.js';
import { recordSigner } from '../../profiles/record-seal.js';
import type { CreationRecord, OrphanRule } from './interrupted-creation.js';
import { askAboutOrphans } from './orphan-rules.js';
import { keysInUse, ProfileRecord, refuseTaken } from './profile-record.js';
import { SecretFile } from './secret-file.js';

export type CreatedKey = z.infer<typeof createdApiKeySchema>;

export interface SecretSink extends CreationRecord {
  /** Chooses which keys of an interrupted run to delete. */
  readonly rule: OrphanRule | undefined;
  /** Returns a key whose secret an interrupted run did not store. @throws UsageError or ConfigError for an unusable place */
  open(): Promise<CreatedKey | undefined>;
  /** Checks an open place, for a run that makes other changes first. @throws UsageError or ConfigError */
  assertWritable(): Promise<unknown>;
  keep(created: CreatedKey): Promise<string>;
  /** Removes the record, because there is no key or its secret is stored elsewhere. */
  abandon(): Promise<unknown>;
}

export interface SinkOptions {
  readonly saveProfile?: string | undefined;
  readonly secretFile?: string | undefined;
  readonly pathName?: string | undefined;
}

export type SinkContext = Pick<Context, 'system' | 'streams' | 'profiles' | 'settings' | 'prompt' | 'note'>;

/** The requested sink, not opened yet. @throws UsageError if two are requested */
export function openSink(options: SinkOptions, context: SinkContext): SecretSink | undefined {
  if (options.saveProfile !== undefined && options.secretFile !== undefined) {
    throw new UsageError('--save-profile and --secret-file cannot be combined');
  }
  if (options.saveProfile !== undefined) return new ProfileSink(options.saveProfile, context);
  if (options.secretFile !== undefined)
    return new FileSink(resolve(context.system.cwd(), options.secretFile), context, options.pathName);
  return undefined;
}

class ProfileSink implements SecretSink {
  readonly rule: OrphanRule;
  readonly #name: string;
  readonly #context: SinkContext;
  #record: ProfileRecord | undefined;

  constructor(name: string, context: SinkContext) {
    this.#name = name;
    this.#context = context;
    this.rule = askAboutOrphans(context);
  }

  async open(): Promise<undefined> {
    const store = this.#context.profiles();
    const file = await store.read();
    assertFree(file, this.#name);
    const { settings, system } = this.#context;
    const signer = await recordSigner(settings());
    this.#record = new ProfileRecord(this.#name, file, { store, signer, pid: system.pid });
  }

  get left(): PendingCreation | undefined {
    return this.#record?.left;
  }

  get ignored(): string | undefined {
    return this.#record?.ignored;
  }

  get ignoredKey(): string | undefined {
    return this.#record?.ignoredKey;
  }

  get kept(): ReadonlySet<string> | undefined {
    return this.#record?.kept;
  }

  get existing(): ReadonlySet<string> | undefined {
    return this.#record?.existing;
  }

  begin(creation: PendingCreation): Promise<void> {
    return this.#opened.begin(creation);
  }

  assertWritable(): Promise<unknown> {
    return this.#context.profiles().assertWritable();
  }

  async keep({ id, secret }: CreatedKey): Promise<string> {
    const name = this.#name;
    const { baseUrl, auth, caFile } = await this.#context.settings().service();
    const profile = { baseUrl: baseUrl.href, auth, caFile, keyId: id, secret };
    await this.#opened.finish((current) => {
      if (current === undefined) return profile;
      throw new UsageError(`profile ${JSON.stringify(name)} already exists`);
    });
    return `saved as profile "${name}"; use it with --profile ${name}`;
  }

  abandon(): Promise<unknown> {
    return this.#opened.cancel();
  }

  get #opened(): ProfileRecord {
    if (this.#record === undefined) throw new Error('the profiles were not read');
    return this.#record;
  }
}

class FileSink implements SecretSink {
  readonly storesId = false;
  readonly rule: OrphanRule;
  left: PendingCreation | undefined;
  ignored: string | undefined;
  kept: ReadonlySet<string> | undefined;
  existing: ReadonlySet<string> | undefined;
  readonly #path: string;
  readonly #pathName: string | undefined;
  readonly #context: SinkContext;
  #file: SecretFile | undefined;

  constructor(path: string, context: SinkContext, pathName: string | undefined) {
    this.rule = askAboutOrphans(context);
    this.#path = path;
    this.#pathName = pathName;
    this.#context = context;
  }

  async open(): Promise<CreatedKey | undefined> {
    const { system, settings, profiles } = this.#context;
    const signer = await recordSigner(settings());
    const file = await profiles().read();
    this.kept = keysInUse(file, signer);
    this.existing = keysInUse(file, signer, true);
    this.#file = new SecretFile(this.#path, system.pid, signer, this.#pathName);
    const { creation, created, ignored, maker } = await this.#file.open();
    refuseTaken(`${this.#path}.pending`, file, maker);
    this.left = creation;
    this.ignored = ignored;
    return created;
  }

  async begin(creation: PendingCreation): Promise<void> {
    const aside = await this.#opened.begin(creation);
    this.left = creation;
    if (aside !== undefined) await this.#context.note(`${this.#path}.pending was moved to ${aside}`);
  }

  assertWritable(): Promise<void> {
    return this.#opened.assertWritable();
  }

  async keep(created: CreatedKey): Promise<string> {
    await this.#opened.keep(created);
    return `the secret is in ${this.#path}`;
  }

  abandon(): Promise<void> {
    return this.#opened.abandon();
  }

  get #opened(): SecretFile {
    if (this.#file === undefined) throw new Error('the place for the secret was not opened');
    return this.#file;
  }
}
