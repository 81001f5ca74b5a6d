import { randomBytes } from 'node:crypto';
import type { Api } from '../../client/api.js';
import type { Context } from '../../context.js';
import type { Resource } from '../../contract/resource.js';
import { reportOf } from '../../error-report.js';
import { ConfigError, ServiceError } from '../../errors.js';
import type { PendingCreation } from '../../profiles/profile-file.js';
import { allPages } from '../pages.js';

type ApiKeys = Pick<Api['apiKeys'], 'list' | 'delete'>;
type CreationContext = Pick<Context, 'note' | 'progress'>;

/** Where a creation is recorded before the key is requested. */
export interface CreationRecord {
  /** What an interrupted run left there. */
  readonly left: PendingCreation | undefined;
  /** Replaces the record. @throws ConfigError when another process did so first */
  begin(creation: PendingCreation, left: PendingCreation | undefined): Promise<unknown>;
}

/**
 * Records that a key is about to be created, after deleting the key of an interrupted run. Lists the keys that already
 * have the name, so that a run after a crash can tell which one came later.
 *
 * @param name of the key; `undefined` if its body has none
 * @param ownName a name generated for this creation, in place of `name`
 */
export async function beginCreation(
  record: CreationRecord,
  { name, ownName }: { readonly name?: string | undefined; readonly ownName?: (id: string) => string },
  apiKeys: ApiKeys,
  context: CreationContext,
): Promise<PendingCreation> {
  const { left } = record;
  const id = randomBytes(4).toString('hex');
  // The record first, then the key: if the other run is still alive, it can no longer store that key.
  const taken = left && { ...left, id };
  if (taken !== undefined) {
    await record.begin(taken, left);
    await deleteOrphan(taken, apiKeys, context);
  }
  // Keeps the same name if possible: the keys known before the first attempt are still all there were.
  if (taken !== undefined && (name === undefined ? taken.ownName : taken.name === name)) return taken;
  const since = new Date().toISOString();
  const creation =
    name === undefined && ownName !== undefined
      ? { id, since, name: ownName(id), ownName: true, known: [] }
      : { id, since, ...(await namesakes(name, apiKeys, context)) };
  await record.begin(creation, taken);
  return creation;
}

async function namesakes(name: string | undefined, apiKeys: ApiKeys, context: CreationContext) {
  if (name === undefined) return {};
  return { name, known: (await keysNamed(name, apiKeys, context))?.map(idOf) };
}

/**
 * Deletes the key that an interrupted run created without storing its secret, which nobody has. It is the never used
 * one that has appeared under the name since; if there are several, nobody knows which.
 *
 * @throws ConfigError naming them when there are several and the name was not unique to this creation
 */
async function deleteOrphan(
  { name, ownName, since, known }: PendingCreation,
  apiKeys: ApiKeys,
  context: CreationContext,
): Promise<void> {
  const named =
    name === undefined || known === undefined ? undefined : await keysNamed(name, apiKeys, context);
  if (named === undefined) {
    const which = name === undefined ? '' : ` named ${JSON.stringify(name)}`;
    await context.note(
      `an interrupted run may have left a key${which} from ${since} whose secret nobody has; look for it in the list or the console, and delete it`,
    );
    return;
  }
  const orphans = named.filter((key) => !known?.includes(idOf(key)) && !key['last_used_at']).map(idOf);
  if (orphans.length > 1 && !ownName) throw severalError(orphans, name);
  for (const orphan of orphans) {
    await deleteUnlessGone(orphan, apiKeys);
    await context.note(`deleted ${orphan}: an interrupted run made it, and its secret was never stored`);
  }
}

/** Deletes a key; one that is already gone is fine. */
export async function deleteUnlessGone(id: string, apiKeys: Pick<ApiKeys, 'delete'>): Promise<void> {
  await apiKeys.delete(id).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
  });
}

/** Whether a failed request certainly changed nothing. */
export function certainlyNotDone(error: unknown): boolean {
  const { code, method } = reportOf(error);
  switch (code) {
    case 'outcome_unknown':
    case 'server':
    case 'internal':
      return false;
    case 'hung_up':
    case 'interrupted':
    case 'terminated':
      // The transport names the request in an interruption only if it may have arrived.
      return method === undefined;
    default:
      return true;
  }
}

/** What to do when nobody knows whether the key was made. */
export function mayExistHint({ name }: PendingCreation): string {
  const which = name === undefined ? 'a key' : `a key named ${JSON.stringify(name)}`;
  return `${which} may have been created, and nobody has its secret: run the same command again, which deletes that one first`;
}

/** The keys of that name; `undefined` if the service does not list keys, which the reference does not show. */
async function keysNamed(
  name: string,
  { list }: ApiKeys,
  context: CreationContext,
): Promise<readonly Resource[] | undefined> {
  const found: Resource[] = [];
  try {
    for await (const key of allPages(list, {}, 'API keys', context))
      if (key['name'] === name) found.push(key);
  } catch (error) {
    if (error instanceof ServiceError && ['not_found', 'rejected', 'forbidden'].includes(error.code)) {
      return undefined;
    }
    throw error;
  }
  return found;
}

function idOf(key: Resource): string {
  return String(key['id']);
}

function severalError(ids: readonly string[], name: string | undefined): ConfigError {
  return new ConfigError(
    `an interrupted run may have made one of ${ids.join(', ')}, all named ${JSON.stringify(name)}`,
    { hint: `delete the one that nobody uses: orgctl api-keys delete ${ids[0]}; then run this again` },
  );
}
