import type { Context } from '../../cli/context.js';
import { readAdvice, whoamiCommand } from '../../cli/error-report.js';
import { aimAtService } from '../../cli/target/target-options.js';
import type { Advice } from '../../errors/advice.js';
import { DeclinedError, InterruptedError, OrgctlError, withHint } from '../../errors/errors.js';
import type { Profile } from '../../profiles/file/profile-file.js';
import { canAsk } from '../../terminal/interaction/can-ask.js';
import { trialSettings } from '../settings-of-profile.js';

export type TrialContext = Pick<
  Context,
  'system' | 'streams' | 'flags' | 'apiFor' | 'note' | 'prompt' | 'signal'
>;

/** Tries a signed read. @returns whether the key worked @throws the failure, or DeclinedError, unless the user stores the key anyway */
export async function tryProfile(name: string, profile: Profile, context: TrialContext): Promise<boolean> {
  try {
    const api = await context.apiFor(trialSettings(name, profile, context), { isTrial: true });
    const { unread } = await api.checkCredential();
    if (unread !== undefined)
      await context.note(`the service accepts the key, but the quotas cannot be read: ${unread.message}`);
    return true;
  } catch (error) {
    if (!(error instanceof OrgctlError) || error instanceof InterruptedError) throw error;
    if (await storesAnyway(error, profile, context)) return false;
    throw withHint(error, adviseTrial(error, profile));
  }
}

const notStored = 'nothing was stored; to store the profile without a check, pass --no-verify';

/** Without a terminal, no. @throws DeclinedError for the answer no */
async function storesAnyway(error: OrgctlError, profile: Profile, context: TrialContext): Promise<boolean> {
  if (!canAsk(context)) {
    await context.note(notStored);
    return false;
  }
  const what = isRefusal(error) ? 'the key did not work' : 'the key could not be tried';
  await context.note(`${what}: ${error.message}`);
  const { choose } = await context.prompt();
  if (await choose('Store it anyway?', { hint: '--no-verify stores it untried' })) return true;
  throw withHint(new DeclinedError(notStored, { cause: error }), adviseTrial(error, profile));
}

function isRefusal({ code }: OrgctlError): boolean {
  return code === 'unauthenticated' || code === 'forbidden';
}

// The usual hint, `orgctl whoami`, would show other settings.
function adviseTrial(error: OrgctlError, profile: Profile): string | Advice {
  if (error.code === 'unauthenticated') return 'check key ID and secret; they belong together';
  if (error.details.see?.what === 'authority-file')
    return 'check the path, or give another file: --ca-file FILE';
  const { hint = '', next } = readAdvice(error);
  const isElsewhere = next?.join(' ') === whoamiCommand.join(' ') || hint === '';
  if (isElsewhere && error.code === 'forbidden') return 'the key may lack a role for this; use another key';
  return isElsewhere ? `check the address ${profile.baseUrl}` : readAdvice(error, aimAtService(profile));
}
