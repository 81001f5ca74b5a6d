import type { Context } from '../../../cli/context.js';
import type { Api } from '../../../client/api.js';
import { toOperands } from '../../../errors/advice.js';
import { ConfigError, withHint } from '../../../errors/errors.js';
import {
  emptyProfileFile,
  findProfile,
  type PendingKey,
  type Profile,
  requireProfile,
} from '../../../profiles/file/profile-file.js';
import { type RecordSigner, recordSigner } from '../../../profiles/record-seal.js';
import { describeSource, type Source } from '../../../profiles/settings/settings.js';
import { findStored, type StoredProfile } from '../../../profiles/settings/stored-profile.js';
import { keepUnread } from '../../once-shown.js';
import { type AnswerContext, rescueSecret } from '../../print-answer.js';
import { refuseReadOnly } from '../../refuse-read-only.js';
import { trialSettings } from '../../settings-of-profile.js';
import { createToStore } from '../create-to-store.js';
import { beginCreation, noteIgnored, wasCertainlyNotDone } from '../interrupted-creation.js';
import { askAboutOrphans } from '../orphan-rules.js';
import {
  adviseLost,
  isUnchanged,
  notInUse,
  ProfileRecord,
  type RotationBegun,
  requireUnchanged,
} from '../profile-record.js';
import { confirmRotation } from './confirm-rotation.js';
import {
  adviseAgain,
  explainInvalidKey,
  explainRefusedKey,
  isUnknownKey,
  leaveOnRestart,
} from './explain-refused-key.js';
import { type ReplacedKey, type RetireOptions, type RotatedKey, retireKey } from './retire-key.js';
import { sealedPending, sealedRetiring, unfinishedRotation } from './unfinished-rotation.js';

export interface RotateOptions extends RetireOptions {
  readonly name?: string | undefined;
  readonly restart?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

export type RotationContext = AnswerContext &
  Pick<Context, 'api' | 'apiFor' | 'settings' | 'signal' | 'flags' | 'note' | 'progress' | 'prompt'>;

/**
 * Replaces the active profile's key. Records each step before the next, so that a rerun resumes: `creating` (a new key
 * may exist), `pending` (it is not verified yet), `retiring` (the old key is not deleted yet).
 */
export async function rotateKey(options: RotateOptions, context: RotationContext): Promise<RotatedKey> {
  const active = await requireStored(context);
  const replaced = await replaceKey(active, options, context).catch(explainRefusedKey(active, context));
  const { name } = active;
  return retireKey(name, replaced, options, context).catch(
    explainRefusedKey({ name, profile: replaced.profile }, context),
  );
}

/** Begins or continues a rotation, up to the point where the profile has the new key. */
async function replaceKey(
  { name, profile: stored }: StoredProfile,
  options: RotateOptions,
  context: RotationContext,
): Promise<ReplacedKey> {
  const signer = await recordSigner(context.settings());
  const left = await unfinishedRotation(name, stored, signer, context);
  const { profile, retiring } = left;
  if (retiring !== undefined) return { profile, oldKeyId: retiring };
  const pending = options.restart ? undefined : left.pending;
  if (pending !== undefined)
    await context.note(`continuing with ${pending.keyId}, created ${pending.createdAt}`);
  else await confirmRotation(name, profile, options, context);
  const create = () => createPending(name, profile, signer, options, context);
  const fresh = pending ?? (await create().catch(explainInvalidKey(name, profile)));
  await prove(name, profile, fresh, options, context);
  const swapped = await swapKey(name, profile, fresh, context);
  return { profile: swapped, oldKeyId: profile.keyId, former: profile };
}

/** @throws ConfigError unless the credential is stored in a profile, because the new one is stored there, too */
async function requireStored({ settings }: RotationContext): Promise<StoredProfile> {
  const resolved = settings();
  const stored = await findStored(resolved);
  if (stored === undefined) {
    const origin = await resolved.secretOrigin();
    if (origin?.kind === 'keyring') throw keptElsewhere(origin.source);
    throw new ConfigError('rotating needs a profile with its own base URL, key ID and secret', {
      ...{
        hint: 'if a command supplies the secret, rotate the key where the command reads it; see where each comes from',
        next: ['orgctl', 'whoami'],
      },
    });
  }
  return stored;
}

function keptElsewhere(source: Source): ConfigError {
  return new ConfigError(
    `the secret of ${describeSource(source)} is in the keyring, but rotating stores secrets in the profile file`,
    {
      hint: 'create a key, then give it to the profile',
      next: ['orgctl', 'profile', 'set', source.name, '--key-id', 'KEY_ID'],
    },
  );
}

async function createPending(
  name: string,
  profile: Profile,
  signer: RecordSigner,
  options: RotateOptions,
  context: RotationContext,
): Promise<PendingKey> {
  await refuseReadOnly(context);
  const store = context.profiles();
  const api = await context.api();
  const record = new ProfileRecord(name, await store.read(), { store, signer, pid: context.system.pid });
  await noteIgnored(record, context);
  const replaced = profile.pending?.keyId;
  const begun: RotationBegun = { name, profile, pendingId: replaced };
  const wanted = {
    name: options.name,
    ownName: (id: string) => `orgctl ${name} ${id}`,
    onUndeleted: leaveOnRestart(name, profile, options, context),
  };
  const creation = await beginCreation(record, wanted, askAboutOrphans(context), api, context);
  const created = await createToStore({ name: creation.name }, api, creation, record).catch(
    async (error: unknown) => {
      const kept = await keepUnread(error, creation, context);
      const isNotDone = wasCertainlyNotDone(error);
      if (kept !== undefined || isNotDone) await record.cancel();
      throw kept ?? (isNotDone ? error : withHint(error, await adviseLost(creation, begun, context)));
    },
  );
  const { id, secret } = created;
  const pending = sealedPending({ keyId: id, secret, createdAt: new Date().toISOString() }, signer);
  const keep = (current: Profile | undefined) => ({ ...requireUnchanged(begun, current), pending });
  await record.finish(keep).catch(async (error: unknown) => {
    await rescueSecret(created, `profile ${JSON.stringify(name)} could not store the secret`, context);
    // A later run that cannot use the record then at least names the key.
    await record.begin({ ...creation, createdId: id }).catch(() => undefined);
    throw await notInUse(error, id, begun, context);
  });
  if (replaced !== undefined && (await mayExist(replaced, api))) {
    await context.note(`${replaced} was never in use; delete it`, [
      'orgctl',
      'api-keys',
      'delete',
      ...toOperands(replaced),
    ]);
  }
  return pending;
}

/** Whether the key may exist: it does not after `local reset`, for example. */
function mayExist(keyId: string, { apiKeys }: Pick<Api, 'apiKeys'>): Promise<boolean> {
  return apiKeys.find(keyId).then(
    (key) => key !== undefined,
    () => true,
  );
}

/** Tests the new key with a GET, while the profile still has the old one. */
async function prove(
  name: string,
  profile: Profile,
  { keyId, secret }: PendingKey,
  options: RotateOptions,
  context: RotationContext,
): Promise<void> {
  const api = await context.apiFor(trialSettings(name, { ...profile, keyId, secret }, context));
  await api.checkCredential().catch(async (error: unknown) => {
    if (await isUnchanged({ name, profile, pendingId: keyId }, context)) {
      await context.note(
        `the new key ${keyId} is stored as pending, and the old one is still in use; run the command again to continue, or with --restart to create another key`,
      );
    }
    throw isUnknownKey(error) ? withHint(error, adviseAgain(keyId, options)) : error;
  });
}

async function swapKey(
  name: string,
  profile: Profile,
  { keyId, secret }: PendingKey,
  context: RotationContext,
): Promise<Profile> {
  const store = context.profiles();
  const signer = await recordSigner(trialSettings(name, { ...profile, keyId, secret }, context));
  const retiring = sealedRetiring(profile.keyId, signer);
  const begun: RotationBegun = { name, profile, pendingId: keyId };
  const file = await store
    .update(name, (stored) => {
      const { pending: _proved, ...current } = requireUnchanged(begun, stored);
      return { ...current, keyId, secret, ...retiring };
    })
    .catch(async (error: unknown) => {
      const file = await store.read().catch(() => emptyProfileFile);
      const { pending, secret: own } = findProfile(file, name) ?? {};
      if (pending?.secret === secret || own === secret) throw error;
      const why = `profile ${JSON.stringify(name)} no longer has the secret`;
      await rescueSecret({ id: keyId, secret }, why, context);
      throw await notInUse(error, keyId, begun, context);
    });
  return requireProfile(file, name);
}
