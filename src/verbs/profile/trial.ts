import type { Context } from '../../cli/context.js';
import { type Advice, whoamiCommand } from '../../errors/advice.js';
import { DeclinedError, InterruptedError, OrgctlError, UsageError, withHint } from '../../errors/errors.js';
import type { Profile } from '../../profiles/file/profile-file.js';
import { checkDecodedSecret } from '../../profiles/settings/secret-text.js';
import { canAsk } from '../../terminal/interaction/can-ask.js';
import { trialSettings } from '../settings-of-profile.js';

export type TrialContext = Pick<
  Context,
  'system' | 'streams' | 'flags' | 'apiFor' | 'note' | 'prompt' | 'signal'
>;

export interface Trial {
  /** Whether the key worked; otherwise, the user stores it anyway. */
  readonly isProved: boolean;
  /** The secret that was typed after a refused one. */
  readonly retyped?: { readonly secret: string };
}

/**
 * Tries a signed read. After a refused secret that was asked for, asks for it again, hidden.
 * @throws the failure, or DeclinedError, unless the user stores the key anyway
 */
export async function tryProfile(
  name: string,
  profile: Profile,
  { isAsked }: { readonly isAsked: boolean },
  context: TrialContext,
): Promise<Trial> {
  for (let trial: Omit<Trial, 'isProved'> = {}; ; ) {
    const tried = { ...profile, ...trial.retyped };
    const error = await findFailure(name, tried, context);
    if (error === undefined) return { ...trial, isProved: true };
    const what = isRefusal(error) ? 'the key did not work' : 'the key could not be tried';
    if (canAsk(context)) await context.note(`${what}: ${error.message}`);
    const secret = isAsked && error.code === 'unauthenticated' ? await askAgain(context) : '';
    if (secret !== '') trial = { retyped: { secret } };
    else if (await storesAnyway(error, tried, context)) return { ...trial, isProved: false };
    else throw withHint(error, adviseTrial(error, tried));
  }
}

/** @throws any failure that is not of the key */
async function findFailure(
  name: string,
  profile: Profile,
  context: TrialContext,
): Promise<OrgctlError | undefined> {
  try {
    const api = await context.apiFor(trialSettings(name, profile, context), { isTrial: true });
    const { unread } = await api.checkCredential();
    if (unread !== undefined)
      await context.note(`the service accepts the key, but the quotas cannot be read: ${unread.message}`);
    return undefined;
  } catch (error) {
    if (error instanceof OrgctlError && !(error instanceof InterruptedError)) return error;
    throw error;
  }
}

/** Without a terminal, empty. */
async function askAgain(context: TrialContext): Promise<string> {
  if (!canAsk(context)) return '';
  const { hidden, discard } = await context.prompt();
  await discard();
  return hidden('API key secret again, or Enter to keep it', {
    hint: '--no-verify stores it untried',
    check: (answer) => void checkDecodedSecret(answer, (what) => new UsageError(`the input ${what}`)),
  });
}

const notStored = 'nothing was stored; to store the profile without a check, pass --no-verify';

/** Without a terminal, no. @throws DeclinedError for the answer no */
async function storesAnyway(error: OrgctlError, profile: Profile, context: TrialContext): Promise<boolean> {
  if (!canAsk(context)) {
    await context.note(notStored);
    return false;
  }
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
  const { hint, next } = error.details;
  if (hint !== undefined && next !== whoamiCommand) return { hint };
  if (error.code === 'forbidden') return 'the key may lack a role for this; use another key';
  return `check the address ${profile.baseUrl}`;
}
