import { lstat } from 'node:fs/promises';
import type { Resource } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import {
  adviseWriting,
  describeFileError,
  readSystemCode,
  refuseWriting,
  ServiceError,
  UsageError,
} from '../../errors/errors.js';
import { createPrivately, syncParentDirectory, tryCreating } from '../../platform/durable-file.js';
import { assertFree } from '../../profiles/file/store.js';
import { isKeyId } from '../../redaction/harmless.js';

export type CreatedKey = Resource & { readonly id: string; readonly secret: string };

export interface SecretSink {
  /** Called before the key is created. @throws UsageError or ConfigError for an unusable place */
  check(): Promise<void>;
  /** Stores the secret durably. @returns a note that says where */
  keep(created: CreatedKey): Promise<string>;
}

/** A new profile with the key's ID and secret, and the address of the service in use. */
export function profileSink(name: string, context: Context): SecretSink {
  return {
    async check() {
      assertFree(await context.profiles().read(), name);
      await context.profiles().assertWritable();
    },
    async keep({ id, secret }) {
      if (!isKeyId(id)) throw unusableId(id);
      const { baseUrl, auth, caFile } = await context.settings().service();
      await context.profiles().add(name, { baseUrl: baseUrl.href, auth, caFile, keyId: id, secret });
      return `saved as profile "${name}"; use it with --profile ${name}`;
    },
  };
}

export function unusableId(id: string): ServiceError {
  return new ServiceError(
    'server',
    `the new key's ID is not one that can sign requests: ${JSON.stringify(id)}`,
  );
}

/** A new file (0600) that contains only the secret. @param option what gave the path, for messages */
export function fileSink(path: string, option = '--secret-file'): SecretSink {
  const refuse = (cause: unknown): never => {
    const why = readSystemCode(cause) === 'EEXIST' ? taken : describeFileError(cause);
    throw refuseWriting(`${option} ${path}: ${why}`, { ...adviseWriting(cause), cause });
  };
  return {
    async check() {
      if (await lstat(path).catch(() => undefined)) throw new UsageError(`${option} ${path}: ${taken}`);
      await tryCreating(path).catch(refuse);
    },
    async keep({ secret }) {
      await createPrivately(path, secret).catch(refuse);
      await syncParentDirectory(path).catch(refuse);
      return `the secret is in ${path}`;
    },
  };
}

const taken = 'the file exists and is not overwritten';
