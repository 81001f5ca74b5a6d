import type { Context } from '../../../cli/context.js';
import type { Profile } from '../../../profiles/file/profile-file.js';
import { confirmOnTerminal } from '../../confirm-change.js';
import { findProfilesOf } from '../profiles-of-keys.js';

/** Names other profiles that will stop working; then asks on a terminal, unless `yes` is set. @throws DeclinedError */
export async function confirmRotation(
  name: string,
  profile: Profile,
  { yes, keepOld }: { readonly yes?: boolean | undefined; readonly keepOld?: boolean | undefined },
  context: Pick<Context, 'prompt' | 'system' | 'streams' | 'settings' | 'profiles' | 'note'>,
): Promise<void> {
  const { baseUrl, keyId } = profile;
  const sharing = await findProfilesOf({ baseUrl, keyIds: [keyId] }, context);
  const others = sharing.filter((other) => other !== name);
  if (others.length > 0 && !keepOld)
    await context.note(
      `profiles with the same key will stop working: ${others.join(', ')}; --keep-old keeps the key valid`,
    );
  if (yes) return;
  const change = `Replace ${keyId} with a new key`;
  const outcome = keepOld ? 'The old key stays valid.' : 'The old key will be deleted.';
  await confirmOnTerminal({ change, outcome }, 'nothing was rotated', context);
}
