import { randomBytes } from 'node:crypto';
import { apiKeys as keyResource } from '../../api/resources/api-key.js';
import type { Resource } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { toReport } from '../../cli/error-report.js';
import type { Api } from '../../client/api.js';
import { type Advice, toOperands } from '../../errors/advice.js';
import { ServiceError } from '../../errors/errors.js';
import type { PendingCreation } from '../../profiles/file/profile-file.js';
import { allPages } from '../pages.js';
import { deleteUnlessGone } from '../resource/missing.js';
import { digestAll, type Suspects, suspectsAmong } from './orphans.js';

export interface KeysApi {
  readonly apiKeys: Pick<Api['apiKeys'], 'list' | 'get' | 'find' | 'delete'>;
  readonly transport: Pick<Api['transport'], 'deadline' | 'keyId' | 'serviceTime'>;
}
type InterruptedContext = Pick<Context, 'note' | 'progress'>;

export interface CreationRecord {
  readonly left: PendingCreation | undefined;
  readonly ignored?: string | undefined;
  /** ID of an unused key that the ignored record names. */
  readonly ignoredKey?: string | undefined;
  /** IDs of keys in use, which must not be deleted. */
  readonly kept?: ReadonlySet<string> | undefined;
  /** IDs of the profiles' keys for this service; no new key can have one of them. */
  readonly existing?: ReadonlySet<string> | undefined;
  /** False if only the secret is stored; default: true. */
  readonly storesId?: boolean;
  /** Replaces the record. @throws if another process was first */
  begin(creation: PendingCreation): Promise<unknown>;
}

/** Chooses which orphans to delete: keys that an interrupted run probably created. @throws ConfigError if it cannot choose */
export type OrphanRule = (
  orphans: readonly Resource[],
  left: PendingCreation,
) => Promise<readonly Resource[]>;

export interface WantedCreation {
  readonly name?: string | undefined;
  readonly ownName?: (id: string) => string;
  /** Called if the service refuses to delete an orphan; by default, its error is thrown. */
  readonly onUndeleted?: (id: string, error: ServiceError) => Promise<void>;
}

const listCommand = ['orgctl', 'api-keys', 'list', '--all'] as const;

/** Records a creation and digests of the existing key IDs. With a rule, first deletes the orphans that it chooses. */
export async function beginCreation(
  record: CreationRecord,
  { name, ownName, onUndeleted }: WantedCreation,
  rule: OrphanRule | undefined,
  api: KeysApi,
  context: InterruptedContext,
): Promise<PendingCreation> {
  const taken = await takeOver(record);
  if (taken !== undefined && rule !== undefined) {
    const orphans = await chooseOrphans(taken, rule, record, api, context);
    for (const key of orphans) await deleteOrphan(requireId(key), onUndeleted, api, context);
  }
  const id = taken?.id ?? freshId();
  const named = name ?? ownName?.(id);
  const keys = named === undefined ? undefined : await allKeys(api, context);
  const creation: PendingCreation = {
    id,
    ...attemptFrom(api),
    ...(named === undefined ? {} : { name: named }),
    ...(name === undefined && named !== undefined ? { ownName: true } : {}),
    ...(keys === undefined ? {} : { before: digestAll(keys.map(requireId)) }),
  };
  await record.begin(creation);
  return creation;
}

/** The longest deadline to record, in milliseconds. */
const longestAttempt = 24 * 60 * 60 * 1000;

function attemptFrom({ transport }: KeysApi): Pick<PendingCreation, 'since' | 'until'> {
  const now = transport.serviceTime();
  const end = now + Math.min(transport.deadline, longestAttempt);
  return { since: new Date(now).toISOString(), until: new Date(end).toISOString() };
}

/** Takes the record over, so that the run that wrote it can no longer store a key. @throws as `CreationRecord.begin` */
export async function takeOver(record: CreationRecord): Promise<PendingCreation | undefined> {
  if (record.left === undefined) return undefined;
  const taken = { ...record.left, id: freshId() };
  await record.begin(taken);
  return taken;
}

export async function noteIgnored(
  { ignored, ignoredKey }: Pick<CreationRecord, 'ignored' | 'ignoredKey'>,
  context: Pick<Context, 'note'>,
): Promise<void> {
  if (ignored === undefined) return;
  const text = `${ignored}; orgctl ignores it, and deletes no key because of it`;
  if (ignoredKey === undefined)
    return context.note(`${text}. To look for keys that were never used`, listCommand);
  const remove = ['orgctl', 'api-keys', 'delete', ignoredKey];
  await context.note(
    `${text}. It names the key ${ignoredKey}, whose secret was not stored; to delete that key`,
    remove,
  );
}

function freshId(): string {
  return randomBytes(4).toString('hex');
}

async function chooseOrphans(
  left: PendingCreation,
  rule: OrphanRule,
  { kept }: Pick<CreationRecord, 'kept'>,
  api: KeysApi,
  context: InterruptedContext,
): Promise<readonly Resource[]> {
  const keys = await allKeys(api, context);
  const suspects = keys === undefined ? undefined : suspectsAmong(keys, left, kept);
  if (suspects === undefined) {
    await context.note(unknownOrphan(left), listCommand);
    return [];
  }
  await noteDoubtful(suspects, context);
  if (suspects.orphans.length + suspects.doubtful.length === 0)
    await context.note(unlistedOrphan(left), listCommand);
  return rule(suspects.orphans, left);
}

async function deleteOrphan(
  id: string,
  onUndeleted: WantedCreation['onUndeleted'],
  { apiKeys }: KeysApi,
  context: InterruptedContext,
): Promise<void> {
  try {
    await deleteUnlessGone(keyResource, id, apiKeys);
  } catch (error) {
    if (onUndeleted === undefined || !(error instanceof ServiceError)) throw error;
    return onUndeleted(id, error);
  }
  await context.note(`deleted ${id}: an interrupted run created it, and its secret was never stored`);
}

/** Names keys that an interrupted run may have created, but does not delete them. */
export async function noteDoubtful({ doubtful }: Suspects, context: Pick<Context, 'note'>): Promise<void> {
  for (const key of doubtful) {
    const id = requireId(key);
    await context.note(
      `${id} is named ${JSON.stringify(key['name'])}: an interrupted run or someone else created it; it was not changed. To see it`,
      ['orgctl', 'api-keys', 'get', ...toOperands(id)],
    );
  }
}

export function unknownOrphan({ name, since }: PendingCreation): string {
  const which = name === undefined ? '' : ` named ${JSON.stringify(name)}`;
  return `an interrupted run may have created a key${which} at ${since} and lost its secret; find it in the console or the list, and delete it`;
}

function unlistedOrphan({ name, since }: PendingCreation): string {
  return `the service lists no key named ${JSON.stringify(name)} from the interrupted run at ${since}; if one appears later, delete it`;
}

export function wasCertainlyNotDone(error: unknown): boolean {
  const { code, method } = toReport(error);
  switch (code) {
    case 'outcome_unknown':
    case 'server':
    case 'internal':
      return false;
    case 'hung_up':
    case 'interrupted':
    case 'terminated':
      // An interruption has a method only if the request may have arrived.
      return method === undefined;
    default:
      return true;
  }
}

export function mayExistHint(creation: PendingCreation): string {
  return `${sayMayExist(creation)}, and run the same command again; it looks for that key first`;
}

/** For a run that no later run can continue. */
export function adviseFinding(creation: PendingCreation): Advice {
  const { name } = creation;
  const find = name === undefined ? listCommand : [...listCommand, '--name', name];
  return { hint: `${sayMayExist(creation)}, then look for it and delete it`, next: find };
}

function sayMayExist({ name }: PendingCreation): string {
  const which = name === undefined ? 'a key' : `a key named ${JSON.stringify(name)}`;
  return `${which} may have been created, and its secret was lost. Wait a minute, because the service may list the key late`;
}

/** All keys; `undefined` if the service does not list them: the API reference does not describe that call. */
async function allKeys(
  { apiKeys }: KeysApi,
  context: InterruptedContext,
): Promise<readonly Resource[] | undefined> {
  const found: Resource[] = [];
  try {
    for await (const key of allPages(apiKeys.list, {}, 'API keys', context)) found.push(key);
  } catch (error) {
    if (error instanceof ServiceError && ['not_found', 'rejected', 'forbidden'].includes(error.code)) {
      return undefined;
    }
    throw error;
  }
  return found;
}

function requireId(key: Resource): string {
  return String(key['id']);
}
