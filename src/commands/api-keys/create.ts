import { lstat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Resource } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { toReport } from '../../cli/error-report.js';
import { creationDoubts } from '../../client/answers/outcome.js';
import type { Api } from '../../client/api.js';
import {
  ConfigError,
  describeFileError,
  readSystemCode,
  refuseWriting,
  ServiceError,
  UsageError,
  withHint,
} from '../../errors/errors.js';
import { parseDataObject, parseFields, readData } from '../../input/request.js';
import { createPrivately, syncParentDirectory, tryCreating } from '../../platform/durable-file.js';
import { assertFree } from '../../profiles/file/store.js';
import { isKeyId } from '../../redaction/harmless.js';
import { requireChangeable } from '../resource/confirm.js';
import { findKeys, printAnswer, rescueUnread, unreadBody } from '../resource/print.js';
import { askName } from '../resource/resource-command.js';
import { requireName } from '../resource/update.js';
import { apiKeyView, createdApiKeyView, saveSecretNote } from './view.js';

interface CreateOptions {
  readonly name?: string | undefined;
  readonly field?: readonly string[] | undefined;
  readonly data?: string | undefined;
  readonly saveProfile?: string | undefined;
  readonly secretFile?: string | undefined;
}

export async function createApiKey(options: CreateOptions, context: Context): Promise<void> {
  const body = await readBody(options, context);
  const sink = chooseSink(options, context);
  await requireChangeable(sink === undefined ? createdApiKeyView : apiKeyView, context);
  const api = await context.api();
  await sink?.check();
  const created = await requestKey(body, api, sink !== undefined, context);
  if (sink !== undefined) await context.note(await store(created, sink, context));
  else if (await printAnswer(created, createdApiKeyView, context)) await context.note(saveSecretNote);
  // For example, the service has only accepted the request (202).
  const doubt = creationDoubts.get(created);
  if (doubt !== undefined) throw doubt;
}

function chooseSink({ saveProfile, secretFile }: CreateOptions, context: Context): SecretSink | undefined {
  if (saveProfile !== undefined) return profileSink(saveProfile, context);
  return secretFile === undefined ? undefined : fileSink(resolve(context.system.cwd(), secretFile));
}

/** Stores the secret, or prints it if that fails. @returns where it is */
async function store(created: CreatedKey, sink: SecretSink, context: Context): Promise<string> {
  const kept = await sink.keep(created).catch(async (error: unknown) => {
    const isShown = await printAnswer(created, createdApiKeyView, context).catch(() => false);
    const where = isShown ? 'its secret is on stdout' : 'the warning above says where its secret is';
    throw withHint(afterCreation(error), `the key ${created.id} was created; ${where}`);
  });
  await printAnswer(withoutSecret(created), apiKeyView, context, { isNew: true });
  return kept;
}

/** Replaces a usage error, which would mean that nothing was sent. */
function afterCreation(error: unknown): unknown {
  if (!(error instanceof UsageError)) return error;
  return new ConfigError(error.message, { ...error.details, cause: error });
}

async function readBody({ field, data, name: typed }: CreateOptions, context: Context): Promise<Resource> {
  const isEmpty = typed === undefined && field === undefined && data === undefined;
  const name = isEmpty ? await askName('key', 'give --name, --field or --data', context) : typed;
  const given = data === undefined ? {} : parseDataObject(await readData(data, context));
  const body = { ...given, ...(name !== undefined && { name }), ...parseFields(field ?? []) };
  if (typeof body['name'] === 'string') requireName(body['name']);
  return body;
}

/** Creates a key. @param isStored whether to save an unreadable response, not print it */
export async function requestKey(
  body: Resource,
  { apiKeys }: Api,
  isStored: boolean,
  context: Context,
): Promise<CreatedKey> {
  try {
    return await apiKeys.create(body);
  } catch (error) {
    const name = typeof body['name'] === 'string' ? body['name'] : undefined;
    if (unreadBody(error) !== undefined) throw await rescueUnread(error, isStored, context, name);
    if (!mayBeDone(error)) throw error;
    const which = name === undefined ? 'a key' : `a key named ${JSON.stringify(name)}`;
    throw withHint(error, {
      hint: `${which} may exist, and its secret is lost; find it`,
      next: findKeys(name),
    });
  }
}

/** Whether a creation may have been carried out in spite of its error. */
export function mayBeDone(error: unknown): boolean {
  const { code, method } = toReport(error);
  // An interruption has a method only if the request may have arrived.
  const isInterruption = ['hung_up', 'interrupted', 'terminated'].includes(code);
  return isInterruption ? method !== undefined : ['outcome_unknown', 'server', 'internal'].includes(code);
}

/** The new key without its secret, whatever the name of that field. */
export function withoutSecret(created: CreatedKey): Resource {
  const fields = Object.entries(Object.getOwnPropertyDescriptors(created));
  const others = fields.filter(([, { value }]) => value !== created.secret);
  return Object.defineProperties<Resource>({}, Object.fromEntries(others));
}

export type CreatedKey = Resource & { readonly id: string; readonly secret: string };

export interface SecretSink {
  /** Called before the key is created. @throws UsageError or ConfigError for an unusable place */
  check(): Promise<void>;
  /** Stores the secret durably. @returns a note that says where */
  keep(created: CreatedKey): Promise<string>;
}

/** A new profile with the key's ID and secret, and the address and dialect of the service in use. */
export function profileSink(name: string, context: Context): SecretSink {
  return {
    async check() {
      assertFree(await context.profiles().read(), name);
      await context.profiles().assertWritable();
    },
    async keep({ id, secret }) {
      if (!isKeyId(id)) throw unusableId(id);
      const { baseUrl, auth, caFile, dialect } = await context.settings().service();
      const own = { auth, caFile, dialect: dialect?.value, keyId: id, secret };
      await context.profiles().add(name, { baseUrl: baseUrl.href, ...own });
      return `saved as profile "${name}"; use it with --profile ${name}`;
    },
  };
}

export function unusableId(id: string): ServiceError {
  const what = `the new key's ID cannot be used for signing: ${JSON.stringify(id)}`;
  return new ServiceError('server', what);
}

/** A new file (0600) that contains only the secret. @param option the path's option, for messages */
export function fileSink(path: string, option = '--secret-file'): SecretSink {
  const refuse = (cause: unknown): never => {
    const why = readSystemCode(cause) === 'EEXIST' ? taken : describeFileError(cause);
    throw refuseWriting(`${option} ${path}: ${why}`, cause);
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
