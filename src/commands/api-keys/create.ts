import { resolve } from 'node:path';
import type { Resource } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { toReport } from '../../cli/error-report.js';
import { creationDoubts } from '../../client/answers/outcome.js';
import type { Api } from '../../client/api.js';
import { ConfigError, UsageError, withHint } from '../../errors/errors.js';
import { parseDataObject, parseFields, readData } from '../../input/request.js';
import { findKeys, keepUnread, showUnread, unreadBody } from '../resource/once-shown.js';
import { printAnswer, requireChangeable } from '../resource/print.js';
import { askName } from '../resource/resource-command.js';
import { requireName } from '../resource/update.js';
import { type CreatedKey, fileSink, profileSink, type SecretSink } from './secret-sink.js';
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
  const created = await (sink === undefined ? createToShow : createToStore)(body, api, context);
  const note = await (sink === undefined ? show(created, context) : store(created, sink, context));
  if (note !== undefined) await context.note(note);
  // The service has only accepted the request (202).
  const doubt = creationDoubts.get(created);
  if (doubt !== undefined) throw doubt;
}

function chooseSink({ saveProfile, secretFile }: CreateOptions, context: Context): SecretSink | undefined {
  if (saveProfile !== undefined) return profileSink(saveProfile, context);
  return secretFile === undefined ? undefined : fileSink(resolve(context.system.cwd(), secretFile));
}

async function show(created: CreatedKey, context: Context): Promise<string | undefined> {
  return (await printAnswer(created, createdApiKeyView, context)) ? saveSecretNote : undefined;
}

/** Prints the secret if it cannot be stored. @returns where it is */
async function store(created: CreatedKey, sink: SecretSink, context: Context): Promise<string> {
  const kept = await sink.keep(created).catch(async (error: unknown) => {
    const isShown = await printAnswer(created, createdApiKeyView, context).catch(() => false);
    const where = isShown ? 'its secret is on stdout' : 'the warning above says where its secret is';
    throw withHint(afterCreation(error), `the key ${created.id} was created; ${where}`);
  });
  await printAnswer(withoutSecret(created), apiKeyView, context, { isNew: true });
  return kept;
}

/** A usage error would mean that nothing was sent. */
function afterCreation(error: unknown): unknown {
  if (!(error instanceof UsageError)) return error;
  return new ConfigError(error.message, { ...error.details, cause: error });
}

async function readBody({ field, data, name: typed }: CreateOptions, context: Context): Promise<Resource> {
  const isEmpty = typed === undefined && field === undefined && data === undefined;
  const name = isEmpty ? await askName('key', context) : typed;
  if (isEmpty && name === undefined)
    throw new UsageError('nothing to create: give --name, --field or --data');
  const given = data === undefined ? {} : parseDataObject(await readData(data, context));
  const body = { ...given, ...(name !== undefined && { name }), ...parseFields(field ?? []) };
  if (typeof body['name'] === 'string') requireName(body['name']);
  return body;
}

function createToShow(body: Resource, api: Api, context: Context): Promise<CreatedKey> {
  return create(body, api, (error) => showUnread(error, context));
}

/** Creates a key whose secret is to be stored. A response that is not understood is kept in a file. */
export function createToStore(body: Resource, api: Api, context: Context): Promise<CreatedKey> {
  return create(body, api, (error) => keepUnread(error, nameIn(body), context));
}

async function create(
  body: Resource,
  { apiKeys }: Api,
  rescueUnread: (error: unknown) => Promise<unknown>,
): Promise<CreatedKey> {
  try {
    return await apiKeys.create(body);
  } catch (error) {
    if (unreadBody(error) !== undefined) throw await rescueUnread(error);
    if (!mayBeDone(error)) throw error;
    const name = nameIn(body);
    const which = name === undefined ? 'a key' : `a key named ${JSON.stringify(name)}`;
    throw withHint(error, {
      hint: `${which} may exist, and its secret is lost; find it`,
      next: findKeys(name),
    });
  }
}

function nameIn({ name }: Resource): string | undefined {
  return typeof name === 'string' ? name : undefined;
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
