import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { UsageError } from '../../errors.js';
import type { Profile } from '../../profiles/profile-file.js';
import { withExamples } from '../help-text.js';
import { givenPlace } from './place.js';
import { isSecretGiven, type SecretFlags, secretOf } from './secret.js';
import { type TrialContext, tryProfile } from './trial.js';
import { profileView, shownProfile } from './view.js';

interface SetOptions extends SecretFlags {
  readonly askSecret?: boolean | undefined;
  readonly readOnly?: boolean | undefined;
  readonly verify: boolean;
}

/** `orgctl profile set <name>`: the global options given with it replace what is stored. */
export function set(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        'Change single settings of a profile: those of the global options --base-url, --key-id, --auth, --ca-file, --timeout, --deadline and --retries that are given, and its secret. Another key ID, or an address elsewhere, asks for its secret; --allow-host takes the stored one along to the new address.',
      )
      .argument('<name>', 'a stored profile')
      .option('--ask-secret', 'ask for a new secret')
      .option('--secret-stdin', 'read a new secret from stdin')
      .option('--secret-env <variable>', 'read a new secret from an environment variable, and store it')
      .option('--secret-command <command>', 'store a command that prints the secret, in place of the secret')
      .option('--read-only', 'refuse every method but GET with this profile')
      .option('--no-read-only', 'allow changes again')
      .option('--no-verify', 'store without trying the key with GET /quotas first'),
    [
      ['orgctl profile set prod --timeout 10s', 'all else stays as it is'],
      ['orgctl profile set prod --ask-secret', 'a new secret, typed unseen and tried before it is stored'],
    ],
  ).action((name, options) => setProfile(name, options, context));
}

async function setProfile(
  name: string,
  options: SetOptions,
  context: TrialContext & Pick<Context, 'stdin' | 'profiles' | 'printer'>,
): Promise<void> {
  const store = context.profiles();
  const stored = await store.get(name);
  const { readOnly } = options;
  const changes = {
    ...givenPlace(context.flags(), {}, context),
    ...(readOnly === undefined ? {} : { readOnly }),
  };
  const secret = needsSecret(stored, changes, options, context)
    ? await secretOf(options, context)
    : undefined;
  if (secret === undefined && Object.keys(changes).length === 0) {
    throw new UsageError('nothing to change', { hint: 'orgctl profile set --help lists what can be' });
  }
  const changed = (profile: Profile) => ({ ...withSecret(profile, secret), ...changes });
  if (options.verify) await tryProfile(name, changed(stored), context);
  const file = await store.update(name, changed);
  const shown = shownProfile(name, changed(stored), file.current === name);
  await (await context.printer()).one(shown, profileView);
}

// A secret is for one key and one origin (contract, section 1, "Precedence").
function needsSecret(
  stored: Profile,
  { keyId, baseUrl }: Partial<Profile>,
  options: SetOptions,
  { flags }: Pick<Context, 'flags'>,
): boolean {
  if (options.askSecret && isSecretGiven(options)) {
    throw new UsageError('--ask-secret and another source of the secret exclude each other');
  }
  const isElsewhere = baseUrl !== undefined && new URL(baseUrl).origin !== new URL(stored.baseUrl).origin;
  return (
    options.askSecret === true ||
    isSecretGiven(options) ||
    (keyId !== undefined && keyId !== stored.keyId) ||
    (isElsewhere && flags().allowHost !== true)
  );
}

function withSecret(
  profile: Profile,
  secret: Pick<Profile, 'secret' | 'secretCommand'> | undefined,
): Profile {
  if (secret === undefined) return profile;
  const { secret: _old, secretCommand: _command, ...rest } = profile;
  return { ...rest, ...secret };
}
