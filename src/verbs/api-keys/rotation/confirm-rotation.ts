import type { Context } from '../../../cli/context.js';
import type { Profile } from '../../../profiles/file/profile-file.js';
import { isSameOrigin } from '../../../text/base-url.js';
import { confirmOnTerminal } from '../../confirm-change.js';

/** Names other profiles that will stop working; then asks on a terminal, unless `yes` is set. @throws DeclinedError */
export async function confirmRotation(
  name: string,
  profile: Profile,
  { yes, keepOld }: { readonly yes?: boolean | undefined; readonly keepOld?: boolean | undefined },
  context: Pick<Context, 'prompt' | 'system' | 'streams' | 'settings' | 'profiles' | 'note'>,
): Promise<void> {
  const others = await findSharingProfiles(name, profile, context);
  if (others.length > 0 && !keepOld)
    await context.note(
      `profiles with the same key will stop working: ${others.join(', ')}; --keep-old keeps the key valid`,
    );
  if (yes) return;
  const change = `Replace ${profile.keyId} with a new key`;
  const outcome = keepOld ? 'The old key stays valid.' : 'The old key will be deleted.';
  await confirmOnTerminal({ change, outcome }, 'nothing was rotated', context);
}

async function findSharingProfiles(
  name: string,
  { baseUrl, keyId }: Profile,
  { profiles }: Pick<Context, 'profiles'>,
): Promise<readonly string[]> {
  return Object.entries((await profiles().read()).profiles)
    .filter(
      ([other, profile]) =>
        other !== name && profile.keyId === keyId && isSameOrigin(profile.baseUrl, baseUrl),
    )
    .map(([other]) => other);
}
