import type { Api } from '../../client/api.js';
import type { Context } from '../../context.js';
import type { Resource } from '../../contract/resource.js';
import type { DeclaredResource } from '../../contract/resources/index.js';
import { messageOf, OutcomeUnknownError, ServiceError, withHint } from '../../errors.js';
import { createFor } from '../api-keys/create.js';
import { certainlyNotDone, deleteUnlessGone } from '../api-keys/interrupted-creation.js';
import type { CreatedKey } from '../api-keys/secret-sink.js';
import { byName } from '../resource/named.js';
import type { OpenTarget } from './secret-targets.js';

type CreationContext = Pick<Context, 'note' | 'progress' | 'signal'>;

/**
 * Creates a resource. When it is unknown whether the request was carried out, looks for its name, and sends the request
 * again if there is none.
 */
export async function createResource(
  resource: DeclaredResource,
  body: Resource & { readonly name: string },
  api: Api,
  context: CreationContext,
): Promise<Resource> {
  const create = () => post(resource, body, api);
  try {
    return await create();
  } catch (error) {
    const found = await lookFor(resource, body.name, error, api, context);
    if (found !== undefined) return found;
    if (!(error instanceof OutcomeUnknownError)) throw error;
  }
  return create().catch(async (error: unknown) => {
    const found = await lookFor(resource, body.name, error, api, context);
    if (found === undefined) throw error;
    return found;
  });
}

/** The body was checked by the resource's own schema. */
function post({ property }: DeclaredResource, body: Resource, api: Api): Promise<Resource> {
  const { create }: { create(input: unknown): Promise<Resource> } = api[property];
  return create(body);
}

/** The resource that a request created although it got no answer, or a server error. */
async function lookFor(
  resource: DeclaredResource,
  name: string,
  error: unknown,
  api: Api,
  context: CreationContext,
): Promise<Resource | undefined> {
  if (certainlyNotDone(error) || context.signal.aborted) return undefined;
  // Reports the original failure, not that of the look-up.
  const found = await byName(resource, [name], api, context).catch(() => undefined);
  return found?.get(name)?.[0];
}

/**
 * Creates an API key and stores its secret. If that fails, the key is deleted again. The plan has dealt with what an
 * interrupted run left.
 *
 * @param made the key, if an interrupted run did everything except storing its secret
 * @throws what creating or storing throws, with what became of the key
 */
export async function createKey(
  body: Resource & { readonly name: string },
  { sink, created }: OpenTarget,
  made: Resource | undefined,
  { apiKeys }: Pick<Api, 'apiKeys'>,
  context: CreationContext,
): Promise<{ readonly key: Resource; readonly kept: string }> {
  const isMade = created !== undefined && created.id === made?.['id'];
  const key = isMade ? created : await createFor(sink, body, undefined, apiKeys, context);
  const { secret: _, ...rest } = key;
  try {
    return { key: rest, kept: await sink.keep(key) };
  } catch (error) {
    throw await withoutKey(key, error, sink, apiKeys);
  }
}

async function withoutKey(
  { id, name }: CreatedKey,
  error: unknown,
  sink: OpenTarget['sink'],
  apiKeys: Api['apiKeys'],
): Promise<unknown> {
  const why = `the secret of the new key ${id} could not be stored (${messageOf(error)})`;
  try {
    await deleteUnlessGone(id, apiKeys);
  } catch (failure) {
    return new ServiceError('server', `${why}, and the key could not be deleted: ${messageOf(failure)}`, {
      hint: `nobody has its secret: orgctl api-keys delete ${id}`,
      cause: error,
    });
  }
  await sink.abandon().catch(() => undefined);
  const hint = `fix that, and the same command creates ${JSON.stringify(name)} again`;
  return withHint(new ServiceError('server', `${why}; the key was deleted again`, { cause: error }), hint);
}
