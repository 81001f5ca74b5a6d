import { type FileHandle, open, unlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../../context.js';
import { messageOf, ServiceError, systemCodeOf, UsageError } from '../../errors.js';
import { assertFree } from '../../profiles/profile-file.js';

/** A place that takes a new secret in the screen's stead. */
export interface SecretSink {
  /** Stores the secret; returns what to tell the user. */
  keep(keyId: string, secret: string | undefined): Promise<string>;
  /** Leaves no trace when no secret came. */
  abandon(): Promise<void>;
}

export interface SinkOptions {
  readonly saveProfile?: string | undefined;
  readonly secretFile?: string | undefined;
}

type SinkContext = Pick<Context, 'system' | 'profiles' | 'settings'>;

/**
 * Opens the sink that was asked for; `undefined` when none was.
 *
 * @throws UsageError when both were, or the place cannot take a secret; ConfigError when the profile exists
 */
export async function openSink(options: SinkOptions, context: SinkContext): Promise<SecretSink | undefined> {
  if (options.saveProfile !== undefined && options.secretFile !== undefined) {
    throw new UsageError('--save-profile and --secret-file exclude each other');
  }
  if (options.saveProfile !== undefined) return profileSink(options.saveProfile, context);
  if (options.secretFile !== undefined) return fileSink(resolve(context.system.cwd(), options.secretFile));
  return undefined;
}

async function profileSink(name: string, context: SinkContext): Promise<SecretSink> {
  const store = context.profiles();
  assertFree(await store.read(), name);
  const { baseUrl, auth, caFile } = await context.settings().service();
  return {
    async keep(keyId, secret) {
      const place = { baseUrl: baseUrl.href, auth, ...(caFile === undefined ? {} : { caFile }) };
      await store.add(name, { ...place, keyId, secret: required(secret) });
      return `kept as profile ${name}; use it with --profile ${name}`;
    },
    abandon: async () => undefined,
  };
}

async function fileSink(path: string): Promise<SecretSink> {
  const file = await openNew(path);
  return {
    async keep(_keyId, secret) {
      await file.writeFile(`${required(secret)}\n`);
      await file.sync();
      await file.close();
      return `the secret is in ${path}`;
    },
    async abandon() {
      await file.close();
      await unlink(path);
    },
  };
}

async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const reason =
      systemCodeOf(error) === 'EEXIST' ? 'the file exists and is not overwritten' : messageOf(error);
    throw new UsageError(`--secret-file ${path}: ${reason}`, { cause: error });
  }
}

function required(secret: string | undefined): string {
  if (secret !== undefined) return secret;
  throw new ServiceError('server', 'the key was created, but the answer has no field "secret" to keep', {
    hint: 'the answer is on stdout',
  });
}
