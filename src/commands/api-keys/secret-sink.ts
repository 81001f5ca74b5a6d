import { resolve } from 'node:path';
import type { Context } from '../../context.js';
import type { createdApiKeySchema } from '../../contract/resources/api-key.js';
import type { z } from '../../contract/schema.js';
import { ServiceError, UsageError } from '../../errors.js';
import { pendingCreation } from '../../profiles/pending-creation.js';
import { assertFree, type PendingCreation } from '../../profiles/profile-file.js';
import type { CreationRecord } from './interrupted-creation.js';
import { SecretFile } from './secret-file.js';

/** The answer to the creation of a key. */
export type CreatedKey = z.infer<typeof createdApiKeySchema>;

/** A place for a new secret other than the screen, and for the record of its creation. */
export interface SecretSink extends CreationRecord {
  /**
   * Checks the place and reads what an interrupted run left there; returns the key if only the last step is missing.
   *
   * @throws UsageError when it is taken or cannot hold a secret; ConfigError when profiles cannot be read
   */
  open(): Promise<CreatedKey | undefined>;
  /** Stores the secret; returns what to tell the user. */
  keep(created: CreatedKey): Promise<string>;
  /** Removes the record: no key was made, or its secret is elsewhere. */
  abandon(): Promise<unknown>;
}

export interface SinkOptions {
  readonly saveProfile?: string | undefined;
  readonly secretFile?: string | undefined;
}

type SinkContext = Pick<Context, 'system' | 'profiles' | 'settings'>;

/**
 * The requested sink; `undefined` if there is none. Nothing is opened yet.
 *
 * @throws UsageError when both are requested
 */
export function openSink(options: SinkOptions, context: SinkContext): SecretSink | undefined {
  if (options.saveProfile !== undefined && options.secretFile !== undefined) {
    throw new UsageError('--save-profile and --secret-file cannot be combined');
  }
  if (options.saveProfile !== undefined) return new ProfileSink(options.saveProfile, context);
  if (options.secretFile !== undefined)
    return new FileSink(resolve(context.system.cwd(), options.secretFile), context.system.pid);
  return undefined;
}

/** A new profile. The record is in the profile file. */
class ProfileSink implements SecretSink {
  left: PendingCreation | undefined;
  readonly #name: string;
  readonly #context: SinkContext;
  #creation: PendingCreation | undefined;

  constructor(name: string, context: SinkContext) {
    this.#name = name;
    this.#context = context;
  }

  async open(): Promise<undefined> {
    const file = await this.#context.profiles().read();
    assertFree(file, this.#name);
    this.left = pendingCreation(file, this.#name);
  }

  async begin(creation: PendingCreation, left: PendingCreation | undefined): Promise<void> {
    await this.#context.profiles().beginCreation(this.#name, creation, left);
    this.#creation = creation;
  }

  async keep({ id, secret }: CreatedKey): Promise<string> {
    const name = this.#name;
    const { baseUrl, auth, caFile } = await this.#context.settings().service();
    const profile = { baseUrl: baseUrl.href, auth, caFile, keyId: id, secret: required(secret) };
    await this.#context.profiles().finishCreation(name, this.#begun, (current) => {
      if (current === undefined) return profile;
      throw new UsageError(`there is already a profile ${JSON.stringify(name)}`);
    });
    return `kept as profile ${name}; use it with --profile ${name}`;
  }

  async abandon(): Promise<unknown> {
    return this.#context.profiles().cancelCreation(this.#name, this.#begun);
  }

  get #begun(): PendingCreation {
    if (this.#creation === undefined) throw new Error('the creation of the key was not recorded');
    return this.#creation;
  }
}

/** A new file for the secret alone. Its record is a file next to it while the key is created. */
class FileSink implements SecretSink {
  left: PendingCreation | undefined;
  readonly #file: SecretFile;

  constructor(path: string, pid: number) {
    this.#file = new SecretFile(path, pid);
  }

  async open(): Promise<CreatedKey | undefined> {
    const { creation, created } = await this.#file.open();
    this.left = creation;
    return created;
  }

  begin(creation: PendingCreation): Promise<void> {
    return this.#file.begin(creation);
  }

  async keep(created: CreatedKey): Promise<string> {
    await this.#file.keep({ ...created, secret: required(created.secret) });
    return `the secret is in ${this.#file.path}`;
  }

  abandon(): Promise<void> {
    return this.#file.abandon();
  }
}

function required(secret: string | undefined): string {
  if (secret !== undefined) return secret;
  throw new ServiceError('server', 'the key was created, but the answer has no field "secret" to keep', {
    hint: 'the answer is on stdout',
  });
}
