import type { Context } from '../../cli/context.js';
import type { Api } from '../../client/api.js';
import { ServiceError, withHint } from '../../errors/errors.js';
import type { PendingCreation } from '../../profiles/file/profile-file.js';
import { isKeyId } from '../../redaction/harmless.js';
import { printJson } from '../../text/exact-json.js';
import { keepUnread, type RescueContext } from '../once-shown.js';
import { beginCreation, mayExistHint, type OrphanRule, wasCertainlyNotDone } from './interrupted-creation.js';
import { existedBefore } from './orphans.js';
import type { CreatedKey, SecretSink } from './secret-sink.js';

/**
 * Creates a key for an open sink. First deletes keys of an interrupted run, as `rule` chooses.
 * @param rule absent in `apply`, whose plan deletes such keys
 */
export async function createFor(
  sink: SecretSink,
  body: Readonly<Record<string, unknown>>,
  rule: OrphanRule | undefined,
  api: Pick<Api, 'apiKeys' | 'transport'>,
  context: RescueContext & Pick<Context, 'note' | 'progress'>,
): Promise<NewKey> {
  const { name } = body;
  const wanted = { name: typeof name === 'string' ? name : undefined };
  const creation = await beginCreation(sink, wanted, rule, api, context);
  const key = await createToStore(body, api, creation, sink).catch(async (error: unknown) => {
    const kept = await keepUnread(error, creation, context);
    if (kept !== undefined) {
      // The secret is stored, so the next run must not delete the key. `apply` needs the record: it would find the key and do nothing.
      if (rule !== undefined) await sink.abandon().catch(() => undefined);
      throw kept;
    }
    if (!wasCertainlyNotDone(error)) throw withHint(error, mayExistHint(creation));
    await sink.abandon();
    throw error;
  });
  // With a `record_id`, lists and paths use that ID, so `key.id` cannot be compared with listed IDs.
  const isListedByThisId = key['record_id'] === undefined;
  return { key, isNew: isListedByThisId && existedBefore(creation, key.id) === false };
}

export interface NewKey {
  readonly key: CreatedKey;
  /** False if the key may have existed before the request. */
  readonly isNew: boolean;
}

/** An ID that is safe to show and to type: it cannot be an option, and is shorter than a secret. */
const plainId = /^[A-Za-z0-9][\w-]{0,62}$/;

/** @throws creation errors; ServiceError `server` for an invalid or existing ID */
export async function createToStore(
  body: Readonly<Record<string, unknown>>,
  { apiKeys, transport }: Pick<Api, 'apiKeys' | 'transport'>,
  creation: PendingCreation,
  { existing, storesId = true }: Pick<SecretSink, 'existing' | 'storesId'>,
): Promise<CreatedKey> {
  const created = await apiKeys.create(body);
  const { id } = created;
  const isOld = id === transport.keyId || existing?.has(id) || existedBefore(creation, id);
  // A profile signs with the ID, so an ID for a profile must have the form in the API reference.
  const isUsable = isKeyId(id) || (!storesId && plainId.test(id));
  if (isOld) throw existingKeyError(created);
  if (isUsable) return created;
  throw unusableError(created, `the key was created, but its ID is invalid: ${JSON.stringify(id)}`);
}

/** Creates a key whose secret is shown. @throws creation errors; ServiceError `server` for the signing key's ID */
export async function createToShow(
  body: Readonly<Record<string, unknown>>,
  { apiKeys, transport }: Pick<Api, 'apiKeys' | 'transport'>,
): Promise<CreatedKey> {
  const created = await apiKeys.create(body);
  if (created.id === transport.keyId) throw existingKeyError(created);
  return created;
}

function existingKeyError(created: CreatedKey): ServiceError {
  const what = `the service responded to the creation request with the ID of an existing key: ${created.id}`;
  return unusableError(created, what);
}

function unusableError(created: CreatedKey, what: string): ServiceError {
  const body = Buffer.from(printJson(created));
  return new ServiceError('server', what, { answer: { status: 201, headers: {}, body } });
}
