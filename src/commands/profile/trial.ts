import { whoami } from '../../client/request.js';
import type { Context } from '../../context.js';
import { type Advice, InterruptedError, OrgctlError, withHint } from '../../errors.js';
import type { Profile } from '../../profiles/profile-file.js';
import { trialSettings } from '../settings-of-profile.js';

export type TrialContext = Pick<
  Context,
  'system' | 'streams' | 'flags' | 'apiFor' | 'note' | 'prompt' | 'signal'
>;

/**
 * Tries a profile with `GET /quotas`, by all that this command line says, before it is stored. When that fails, a
 * terminal is asked whether to store it all the same, so that nothing that was typed is lost.
 *
 * @throws what the service or the network said, when the profile is not to be stored
 */
export async function tryProfile(name: string, profile: Profile, context: TrialContext): Promise<void> {
  try {
    const { quotas } = await context.apiFor(trialSettings(name, profile, context), { isTrial: true });
    await quotas.read();
  } catch (error) {
    if (!(error instanceof OrgctlError) || error instanceof InterruptedError) throw error;
    if (await storesAnyway(error, context)) return;
    throw withHint(error, adviceFor(error, profile));
  }
}

async function storesAnyway(error: OrgctlError, context: TrialContext): Promise<boolean> {
  const { system, streams } = context;
  if (system.stdin.isTTY === true && streams.stderr.isTerminal) {
    await context.note(`the trial failed: ${error.message}`);
    const { confirm } = await context.prompt();
    if (await confirm('Store it all the same?', { hint: '--no-verify stores it untried' })) return true;
  }
  await context.note('nothing was stored; --no-verify stores it without trying it');
  return false;
}

// The usual hint, `orgctl whoami`, would show other settings than were tried here.
function adviceFor({ details, code }: OrgctlError, { baseUrl }: Profile): string | Advice {
  if (code === 'unauthenticated') return 'check key ID and secret; they belong together';
  const { hint = '', next } = details;
  return next?.join(' ') === whoami.join(' ') || hint === ''
    ? `check the address ${baseUrl}`
    : { hint, next };
}
