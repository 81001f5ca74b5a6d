import { readSigningId } from '../../api/resources/api-key.js';
import type { Context } from '../../cli/context.js';
import { DeclinedError, UsageError } from '../../errors/errors.js';
import type { Profile } from '../../profiles/file/parse-profile-file.js';
import { isKeyId } from '../../redaction/harmless.js';
import { isSameOrigin } from '../../text/base-url.js';
import type { Target } from '../resource/target.js';

export const evenMineOption = ['--even-mine', 'with --yes: allow this for the key you are using'] as const;

export interface OwnKeyOptions {
  readonly yes?: boolean | undefined;
  readonly evenMine?: boolean | undefined;
}

const adviseRotation = {
  hint: 'pass --yes --even-mine, or replace it',
  next: ['orgctl', 'api-keys', 'rotate'],
};

const adviseAnother = {
  hint: 'pass --yes --even-mine, or create another key, and use that one',
  next: ['orgctl', 'api-keys', 'create', '--name', 'NAME'],
};

/**
 * Asks for the ID before deleting or disabling the key in use, because that locks its user out; `--yes` is not enough.
 * Notes stored profiles that have the key.
 * @returns whether it asked
 * @throws DeclinedError if another text is typed; UsageError without a terminal, or for `--yes` without `--even-mine`
 */
export async function confirmOwnKey(
  change: 'delete' | 'disable',
  targets: readonly Target[],
  { yes, evenMine }: OwnKeyOptions,
  context: Pick<Context, 'settings' | 'profiles' | 'prompt' | 'printer' | 'note'>,
): Promise<boolean> {
  const { keyId } = (await context.settings().service()).credential;
  const ids = targets.map(({ id, found }) => (found && readSigningId(found)) ?? id);
  await noteProfilesOf(ids, context);
  // A service may not show which of its keys signs.
  const unclear = targets.find(({ found }, at) => found !== undefined && !isKeyId(ids[at] ?? ''));
  const isMine = ids.includes(keyId);
  if (!isMine && (unclear === undefined || !isKeyId(keyId))) return false;
  const danger = isMine
    ? `${keyId} is the key you are using: if you ${change} it, you lock yourself out`
    : `${unclear?.id} may be ${keyId}, the key you are using: the service does not show which key it is`;
  if (yes && !evenMine) {
    const canRotate = (await context.settings().stored()) !== undefined;
    throw new UsageError(danger, canRotate ? adviseRotation : adviseAnother);
  }
  await (await context.printer()).warn(danger);
  if (yes) return false;
  const prompt = await context.prompt();
  const typed = await prompt.line(`Type its ID to ${change} it:`, {
    hint: `${danger}; pass --yes --even-mine`,
  });
  const wanted = isMine ? keyId : unclear?.id;
  if (typed.trim() === wanted) return true;
  throw new DeclinedError(`nothing was ${change}d: that is not ${wanted}`);
}

/** Notes which stored profiles a change of these keys disables. Without a profile in use, does not read the file. */
async function noteProfilesOf(
  keyIds: readonly string[],
  context: Pick<Context, 'profiles' | 'settings' | 'note'>,
): Promise<void> {
  const settings = context.settings();
  if ((await settings.profile()) === undefined) return;
  const { origin } = (await settings.service()).baseUrl;
  const names = await findProfilesOf({ baseUrl: origin, keyIds }, context);
  if (names.length > 0) await context.note(`profiles that will stop working: ${names.join(', ')}`);
}

/** Names of the stored profiles that have one of these keys of a service. */
export async function findProfilesOf(
  { baseUrl, keyIds }: Pick<Profile, 'baseUrl'> & { readonly keyIds: readonly string[] },
  { profiles }: Pick<Context, 'profiles'>,
): Promise<readonly string[]> {
  return Object.entries((await profiles().read()).profiles)
    .filter(([, profile]) => keyIds.includes(profile.keyId) && isSameOrigin(profile.baseUrl, baseUrl))
    .map(([name]) => name);
}
