import { foldName } from '../../api/resources/folded-name.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import type { IdentifiedResource, Resource } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { doubtedCreation } from '../../client/answers/outcome.js';
import type { Api } from '../../client/api.js';
import { createToStore, mayBeDone, withoutSecret } from '../../commands/api-keys/create-key.js';
import type { SecretSink } from '../../commands/api-keys/secret-sink.js';
import type { RescueContext } from '../../commands/resource/once-shown.js';
import type { ListCounts } from '../../commands/resource/pages.js';
import { rescueSecret } from '../../commands/resource/print.js';
import { OrgctlError, OutcomeUnknownError, readMessage, ServiceError } from '../../errors/errors.js';
import { countNoun } from '../../text/count-noun.js';
import { admitNew, canComeFrom, hasMore, isKnown, type KnownIds } from '../../verbs/resource/new-resource.js';
import { differences } from '../plan/differences.js';
import { completeSettings } from '../read/complete-settings.js';
import { readKind } from '../read/existing-resources.js';

type CreateContext = RescueContext & Pick<Context, 'note' | 'progress' | 'signal'>;

export interface CreatedResource {
  readonly created: Resource;
  /** False if another run may have created the resource. */
  readonly isCertain: boolean;
}

/**
 * If the outcome is unknown, looks for the resource, but does not repeat the request: a slow service may still carry it
 * out.
 * @param known IDs of existing resources; absent if the list is unreadable
 */
export async function createPlanned(
  resource: DeclaredResource,
  body: NamedBody,
  known: KnownIds | undefined,
  api: Api,
  context: CreateContext,
): Promise<CreatedResource> {
  const since = api.transport.serviceTime();
  const isCertain = known !== undefined;
  const creation = post(resource, body, api).then((created) => ({ created, isCertain }));
  const made = await creation.catch(async (error: unknown) => {
    const found = await lookForCreated({ resource, body, known, since }, error, api, context);
    if (found === undefined) throw error;
    return { created: found, isCertain: false };
  });
  if (known !== undefined) admitNew(resource, made.created, known);
  return made;
}

type NamedBody = Resource & { readonly name: string };

function post({ property }: DeclaredResource, body: Resource, api: Api): Promise<Resource> {
  const { create }: { create(input: unknown): Promise<Resource> } = api[property];
  return create(body);
}

interface Attempted {
  readonly resource: DeclaredResource;
  readonly body: NamedBody;
  readonly known: KnownIds | undefined;
  /** When the creation began, by the service's clock, in milliseconds since the epoch. */
  readonly since: number;
}

/**
 * The new resource with the sent name and fields; `undefined` if none appeared.
 * @throws `error`, for example if the list is unreadable; OutcomeUnknownError if the list is out of date or ambiguous
 */
async function lookForCreated(
  { resource, body, known, since }: Attempted,
  error: unknown,
  api: Api,
  context: CreateContext,
): Promise<Resource | undefined> {
  if (known === undefined || !mayBeDone(error) || context.signal.aborted) throw error;
  // Reports the failure of the creation, not that of looking.
  const seen = await lookAgain(resource, known, api, context).catch(() => Promise.reject(error));
  const form = foldName(body.name);
  const named = seen.found.filter(({ id, name }) => foldName(String(name)) === form && !isKnown(known, id));
  const appeared = await completeSettings(resource, named, api).catch(() => Promise.reject(error));
  const [only, ...more] = appeared.filter(
    (one) =>
      isWhatWasSent(resource, body, one) && canComeFrom(one, { since, until: Number.POSITIVE_INFINITY }),
  );
  if (only !== undefined && more.length === 0) return only;
  const ids = appeared.map(({ id }) => id).join(', ');
  const doubt =
    appeared.length > 0
      ? `this name, or one close to it, now belongs to ${ids}, perhaps created by someone else`
      : whyOutdated(resource, seen);
  if (doubt === undefined) return undefined;
  throw new OutcomeUnknownError(`${readMessage(error)}; ${doubt}`, {
    ...(error instanceof OrgctlError ? error.details : {}),
    cause: error,
  });
}

interface Seen {
  readonly found: readonly IdentifiedResource[];
  /** IDs that an up-to-date list contains. */
  readonly due: readonly unknown[];
  /** The number of resources according to the quota, if readable. */
  readonly counted: number | undefined;
}

async function lookAgain(
  resource: DeclaredResource,
  { created }: KnownIds,
  api: Api,
  context: CreateContext,
): Promise<Seen> {
  const { list } = api[resource.property];
  // Copied before the list is read, so that an up-to-date list has at least these IDs.
  const due = [...created];
  const counted = await list.count?.({ deadline: api.transport.deadline });
  const counts = new Set<ListCounts>();
  const found = await readKind(resource, api, context, { onEnd: (end) => counts.add(end) });
  const [end] = counts;
  return { due, counted: counted ?? end?.quota?.used, found };
}

/** Why the list is out of date, if it is: some services list a resource only a while after its creation. */
function whyOutdated(
  { singular, plural }: DeclaredResource,
  { found, due, counted = 0 }: Seen,
): string | undefined {
  const listed = new Set<unknown>(found.map(({ id }) => id));
  const late = due.find((id) => !listed.has(id));
  if (late !== undefined) return `the list is out of date: it does not show ${late}, which this run created`;
  if (counted <= found.length) return undefined;
  const shown = countNoun(found.length, singular, plural);
  return `the list is out of date: it shows ${shown}, and the quota counts ${counted}`;
}

/** Whether a resource can be the sent one. It may lack secrets, and may have fields that a client cannot send. */
function isWhatWasSent({ patch }: DeclaredResource, body: NamedBody, found: Resource): boolean {
  const sendable = Object.keys(patch.def.shape);
  const own = Object.fromEntries(Object.entries(found).filter(([name]) => sendable.includes(name)));
  const isShown = Object.keys(body).every((name) => isPresent(found[name]) || !isPresent(body[name]));
  return isShown && differences(body, found).changes.length === 0 && !hasMore(own, body);
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

export interface StoredKey {
  readonly key: Resource;
  readonly kept: string;
  /** Why the key may not exist, although its secret is stored. */
  readonly doubt: OutcomeUnknownError | undefined;
}

/** Creates a key and stores its secret before anything else. A secret that cannot be stored is kept in a recovery file. */
export async function createKey(
  body: NamedBody,
  sink: SecretSink,
  api: Api,
  context: CreateContext,
): Promise<StoredKey> {
  const key = await createToStore(body, api, context).catch((error: unknown) => {
    throw mayBeDone(error) ? unstored(body.name, error) : error;
  });
  const kept = await sink.keep(key).catch(async (error: unknown) => {
    await rescueSecret(key, 'the secret could not be stored in its place', context);
    const what = `the key ${key.id} was created, but its secret could not be stored (${readMessage(error)}); the warning says where it is`;
    throw new ServiceError('server', what, { cause: error });
  });
  return { key: withoutSecret(key), kept, doubt: doubtedCreation(key) };
}

/** The next run would take such a key for complete. */
function unstored(name: string, error: unknown): unknown {
  if (!(error instanceof OrgctlError)) return error;
  const what = `${error.message}; if a key named ${JSON.stringify(name)} now exists, its secret is not where the file says: delete the key before the next run`;
  return Object.assign(error, { message: what });
}
