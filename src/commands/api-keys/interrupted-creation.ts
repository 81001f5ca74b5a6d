import { randomBytes } from 'node:crypto';
import type { Api } from '../../client/api.js';
import type { Context } from '../../context.js';
import type { Resource } from '../../contract/resource.js';
import { reportOf } from '../../error-report.js';
import { ServiceError } from '../../errors.js';
import type { PendingCreation } from '../../profiles/profile-file.js';
import { allPages } from '../pages.js';

type ApiKeys = Pick<Api['apiKeys'], 'list' | 'delete'>;
type CreationContext = Pick<Context, 'note' | 'progress'>;

/** Where a creation is recorded before the key is requested. */
export interface CreationRecord {
  /** What an interrupted run left there, if it can be acted on. */
  readonly left: PendingCreation | undefined;
  /** Why what is there is not acted on, naming it. */
  readonly ignored?: string | undefined;
  /** Replaces the record. @throws ConfigError when another process did so first */
  begin(creation: PendingCreation): Promise<unknown>;
}

/**
 * Chooses which of the keys that an interrupted run may have left are deleted.
 *
 * @throws ConfigError when it cannot be told and must be
 */
export type OrphanRule = (
  orphans: readonly Resource[],
  left: PendingCreation,
) => Promise<readonly Resource[]>;

/** A creation to record. */
export interface WantedCreation {
  /** Of the key; `undefined` if its body has none. */
  readonly name?: string | undefined;
  /** Generates a name for this creation, in place of `name`. */
  readonly ownName?: (id: string) => string;
}

/**
 * Records that a key is about to be created, after dealing with the key of an interrupted run by a rule. Lists the keys
 * that already have the name, so that a run after a crash can tell which one came later.
 *
 * @param rule absent where that key has been dealt with
 */
export async function beginCreation(
  record: CreationRecord,
  { name, ownName }: WantedCreation,
  rule: OrphanRule | undefined,
  apiKeys: ApiKeys,
  context: CreationContext,
): Promise<PendingCreation> {
  const taken = await takeOver(record);
  if (taken !== undefined && rule !== undefined) await deleteOrphans(taken, rule, apiKeys, context);
  // Keeps the same name if possible: the keys known before the first attempt are still all there were.
  if (taken !== undefined && (name === undefined ? taken.ownName : taken.name === name)) return taken;
  const id = taken?.id ?? freshId();
  const since = new Date().toISOString();
  const creation =
    name === undefined && ownName !== undefined
      ? { id, since, name: ownName(id), ownName: true, known: [] }
      : { id, since, ...(await namesakes(name, apiKeys, context)) };
  await record.begin(creation);
  return creation;
}

/**
 * Takes over what an interrupted run left, if anything: if that run is still alive, it can no longer store its key.
 *
 * @throws ConfigError when another process did so first
 */
export async function takeOver(record: CreationRecord): Promise<PendingCreation | undefined> {
  if (record.left === undefined) return undefined;
  const taken = { ...record.left, id: freshId() };
  await record.begin(taken);
  return taken;
}

/** Says that a record is not acted on, and how to look for the key that it may be about. */
export async function noteIgnored({ ignored }: Pick<CreationRecord, 'ignored'>, context: CreationContext) {
  if (ignored === undefined) return;
  await context.note(
    `${ignored}; it is ignored, and no key is deleted for it. A key whose secret nobody has shows no use: orgctl api-keys list --all`,
  );
}

function freshId(): string {
  return randomBytes(4).toString('hex');
}

async function namesakes(name: string | undefined, apiKeys: ApiKeys, context: CreationContext) {
  if (name === undefined) return {};
  return { name, known: (await keysNamed(name, apiKeys, context))?.map(idOf) };
}

/** Deletes what a rule chooses of the keys that an interrupted run may have created without storing their secrets. */
async function deleteOrphans(
  left: PendingCreation,
  rule: OrphanRule,
  apiKeys: ApiKeys,
  context: CreationContext,
): Promise<void> {
  const { name, known } = left;
  const isTold = name !== undefined && known !== undefined;
  const keys = isTold ? await keysNamed(name, apiKeys, context) : undefined;
  if (keys === undefined) return context.note(unknownOrphan(left));
  for (const key of await rule(orphansAmong(keys, left), left)) {
    await deleteUnlessGone(idOf(key), apiKeys);
    await context.note(`deleted ${idOf(key)}: an interrupted run made it, and its secret was never stored`);
  }
}

/** What is to be said where nobody can tell which key an interrupted run made. */
export function unknownOrphan({ name, since }: PendingCreation): string {
  const which = name === undefined ? '' : ` named ${JSON.stringify(name)}`;
  return `an interrupted run may have left a key${which} from ${since} whose secret nobody has; look for it in the list or the console, and delete it`;
}

/**
 * The keys that an interrupted run may have created without storing their secrets: those never used that have appeared
 * under the name since. If there are several, nobody knows which, unless the name was made up for it.
 */
export function orphansAmong<Key extends Resource>(
  keys: readonly Key[],
  { name, known }: PendingCreation,
): Key[] {
  if (name === undefined || known === undefined) return [];
  return keys.filter((key) => key['name'] === name && !known.includes(idOf(key)) && !key['last_used_at']);
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
  return `${which} may have been created, and nobody has its secret: run the same command again, which looks for that one first`;
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
