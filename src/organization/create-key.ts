import type { Resource } from '../api/resources/resource.js';
import type { Context } from '../cli/context.js';
import { creationDoubts } from '../client/answers/outcome.js';
import type { Api } from '../client/api.js';
import { mayBeDone, requestKey, type SecretSink, withoutSecret } from '../commands/api-keys/create.js';
import { rescueSecret } from '../commands/resource/print.js';
import { OrgctlError, readMessage, ServiceError } from '../errors/errors.js';

/** Stores the secret before anything else, or keeps it in a recovery file. @throws OutcomeUnknownError after a doubted 2xx */
export async function createKey(
  body: Resource & { readonly name: string },
  sink: SecretSink,
  api: Api,
  context: Context,
): Promise<Resource> {
  const key = await requestKey(body, api, true, context).catch((error: unknown) => {
    throw mayBeDone(error) ? unstored(body.name, error) : error;
  });
  const kept = await sink.keep(key).catch(async (error: unknown) => {
    await rescueSecret(key, 'the secret could not be stored in its place', context);
    const what = `the key ${key.id} was created, but its secret could not be stored (${readMessage(error)}); the warning says where it is`;
    throw new ServiceError('server', what, { cause: error });
  });
  await context.note(kept);
  const doubt = creationDoubts.get(key);
  if (doubt !== undefined) throw doubt;
  return withoutSecret(key);
}

/** The next run would take such a key for complete. */
function unstored(name: string, error: unknown): unknown {
  if (!(error instanceof OrgctlError)) return error;
  const what = `${error.message}; if a key named ${JSON.stringify(name)} now exists, its secret is not where the file says: delete the key before the next run`;
  return Object.assign(error, { message: what });
}
