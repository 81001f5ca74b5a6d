import type { Context } from '../../../cli/context.js';
import type { Api } from '../../../client/api.js';
import { type Advice, toOperands } from '../../../errors/advice.js';
import { readMessage, ServiceError, withHint } from '../../../errors/errors.js';
import type { Profile } from '../../../profiles/file/profile-file.js';
import { trialSettings } from '../../settings-of-profile.js';
import { adviseEnding, isUnknownKey } from './explain-refused-key.js';
import { withoutRetiring } from './unfinished-rotation.js';

export interface RetireOptions {
  readonly keepOld?: boolean | undefined;
}

export interface ReplacedKey {
  readonly profile: Profile;
  readonly oldKeyId: string;
  /** The profile with the old key; after an interruption, its secret is no longer known. */
  readonly former?: Profile;
}

export interface RotatedKey {
  readonly profile: string;
  readonly keyId: string;
  readonly replaced: string;
  readonly oldKeyDeleted: boolean;
}

type RetireContext = Pick<Context, 'apiFor' | 'profiles' | 'printer' | 'system' | 'flags' | 'signal'>;

/** Ends a rotation: deletes the old key, unless it is kept. @throws if the old key may still be valid */
export async function retireKey(
  name: string,
  replaced: ReplacedKey,
  { keepOld }: RetireOptions,
  context: RetireContext,
): Promise<RotatedKey> {
  const { profile, oldKeyId } = replaced;
  if (!keepOld) await deleteReplaced(name, replaced, context);
  await context.profiles().update(name, (current) => withoutRetiring(current, oldKeyId));
  return { profile: name, keyId: profile.keyId, replaced: oldKeyId, oldKeyDeleted: !keepOld };
}

/** The service may list the old key under another ID. */
async function deleteReplaced(name: string, replaced: ReplacedKey, context: RetireContext): Promise<void> {
  const { profile, oldKeyId } = replaced;
  const { apiKeys } = await context.apiFor(trialSettings(name, profile, context));
  const advice = stillThere(oldKeyId, name, profile);
  try {
    await apiKeys.delete(oldKeyId);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found')
      throw withHint(error, isUnknownKey(error) ? adviseEnding(name) : advice);
    const listed = await whyListed(oldKeyId, apiKeys);
    const next = listed === undefined ? hidden(oldKeyId, name, profile) : advice;
    const why =
      listed ??
      (await whyValid(name, replaced, context).catch((failure: unknown) => {
        throw withHint(failure, next);
      }));
    context.signal.throwIfAborted();
    if (why === undefined) return;
    const message = `the service did not find the old key ${oldKeyId} to delete it, ${why}`;
    throw new ServiceError('server', message, { ...next, cause: error });
  }
}

async function whyListed(keyId: string, apiKeys: Api['apiKeys']): Promise<string | undefined> {
  return apiKeys.find(keyId).then(
    (key) => key && 'but lists it',
    (failure: unknown) => `and the list cannot be read: ${readMessage(failure)}`,
  );
}

/** Tries the old key: the API may hide keys that were created in the console. */
async function whyValid(
  name: string,
  { profile, oldKeyId, former }: ReplacedKey,
  context: RetireContext,
): Promise<string | undefined> {
  if (profile.retiringHidden) return 'and may still accept it';
  if (former === undefined) {
    await (await context.printer()).warn(
      `the service neither finds nor lists ${oldKeyId}, so it counts as deleted; if it was created in the management console, look for it there, and delete it if it still exists`,
    );
    return undefined;
  }
  // Before the trial: a later run does not have the old secret.
  await context
    .profiles()
    .update(name, (now) => (now.retiring === oldKeyId ? { ...now, retiringHidden: true } : now));
  const api = await context.apiFor(trialSettings(name, former, context));
  const failure: unknown = await api.checkCredential().then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof ServiceError && failure.code === 'unauthenticated') return undefined;
  return failure === undefined
    ? 'but still accepts it'
    : `and whether it still accepts it is unknown: ${readMessage(failure)}`;
}

const keep = ['orgctl', 'api-keys', 'rotate', '--keep-old'] as const;

/** For a key that the API does not show: it cannot delete the key, however often it is asked. */
function hidden(oldKeyId: string, name: string, { keyId }: Profile): Advice {
  return {
    hint: `profile ${JSON.stringify(name)} has the new key ${keyId}, but the old one, ${oldKeyId}, may still be valid, and the API does not show it. Delete it in the management console, then end the rotation`,
    next: keep,
  };
}

function stillThere(oldKeyId: string, name: string, { keyId }: Profile): Advice {
  // The key of this profile has just failed to delete it.
  const remove = ['orgctl', 'api-keys', 'delete', '-p', 'NAME', ...toOperands(oldKeyId)];
  return {
    hint: `profile ${JSON.stringify(name)} has the new key ${keyId}, but the old one, ${oldKeyId}, may still be valid. Run the same command again to delete it. If that fails again, end the rotation with --keep-old, then delete the old key with another profile`,
    next: remove,
  };
}
