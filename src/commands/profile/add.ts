import { resolve as absolute } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { UsageError } from '../../errors.js';
import { assertFree, type Profile } from '../../profiles/profile-file.js';
import { type Flags, givenSetting, settings } from '../../profiles/settings.js';
import { withExamples } from '../help-text.js';
import { readSecret } from '../secret-input.js';
import { trialSettings } from '../settings-of-profile.js';
import { profileView, shownProfile } from './view.js';

interface AddOptions {
  readonly secretStdin?: boolean | undefined;
  readonly secretEnv?: string | undefined;
  readonly secretCommand?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly verify: boolean;
}

/** `orgctl profile add <name>`: the global options given with it are stored. */
export function add(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        'Store the address and key of a service under a name. The global options --base-url, --key-id, --auth, --ca-file, --output, --timeout, --deadline and --retries are stored as given; the secret is asked for.',
      )
      .argument('<name>', 'letters, digits, "_" and "-"')
      .option('--secret-stdin', 'read the secret from stdin')
      .option('--secret-env <variable>', 'read the secret from an environment variable, and store it')
      .option('--secret-command <command>', 'store a command that prints the secret, in place of the secret')
      .option('--read-only', 'refuse every method but GET with this profile')
      .option('--no-verify', 'store without trying the key with GET /quotas first'),
    [
      ['orgctl profile add prod --base-url https://api.example.com --key-id key_abc', 'asks for the secret'],
      [
        "orgctl profile add prod --base-url https://api.example.com --key-id key_abc --secret-command 'pass show orgctl'",
        'the secret stays where it is',
      ],
    ],
  ).action((name, options) => addProfile(name, options, context));
}

async function addProfile(
  name: string,
  options: AddOptions,
  context: Pick<
    Context,
    'system' | 'stdin' | 'prompt' | 'profiles' | 'flags' | 'apiFor' | 'printer' | 'note'
  >,
): Promise<void> {
  const store = context.profiles();
  assertFree(await store.read(), name);
  const readOnly = options.readOnly ? { readOnly: true } : {};
  const profile = { ...placeOf(context), ...(await secretOf(options, context)), ...readOnly };
  if (options.verify) {
    await verify(name, profile, context).catch(async (error: unknown) => {
      await context.note('nothing was stored; --no-verify stores a profile without trying it');
      throw error;
    });
  }
  const { current } = await store.add(name, profile);
  const shown = shownProfile(name, profile, current === name);
  await (await context.printer()).one(shown, profileView);
  if (current !== name) await context.note(`make it the current one: orgctl profile use ${name}`);
}

/** What the global options say of the new profile; kept as typed, since the same parsers read them back. */
function placeOf({ flags, system }: Pick<Context, 'flags' | 'system'>) {
  const given = flags();
  const baseUrl = givenSetting(settings.baseUrl, given, system.env)?.value.href;
  const keyId = givenSetting(settings.keyId, given, system.env)?.value;
  const missing = [...(baseUrl ? [] : ['--base-url']), ...(keyId ? [] : ['--key-id'])];
  if (baseUrl === undefined || keyId === undefined) {
    throw new UsageError(`missing: ${missing.join(', ')}`, {
      hint: 'orgctl profile add NAME --base-url https://… --key-id key_…',
    });
  }
  const caFile = givenSetting(settings.caFile, given, system.env)?.value;
  return {
    baseUrl,
    keyId,
    ...(caFile === undefined ? {} : { caFile: absolute(system.cwd(), caFile) }),
    ...typed(given),
  };
}

const storedFlags = ['auth', 'output', 'timeout', 'deadline', 'retries'] as const;

/** Checks the flags that are stored with the profile. */
function typed(flags: Flags): Partial<Record<(typeof storedFlags)[number], string>> {
  const stored = storedFlags.filter((key) => flags[key] !== undefined);
  for (const key of stored) givenSetting<unknown>(settings[key], flags, {});
  return Object.fromEntries(stored.map((key) => [key, flags[key]]));
}

async function secretOf(
  { secretStdin, secretEnv, secretCommand }: AddOptions,
  context: Pick<Context, 'system' | 'stdin' | 'prompt'>,
): Promise<Pick<Profile, 'secret' | 'secretCommand'>> {
  if (secretCommand !== undefined) {
    if (secretStdin || secretEnv !== undefined) {
      throw new UsageError('--secret-command excludes --secret-stdin and --secret-env');
    }
    return { secretCommand };
  }
  const names = { prompt: 'API key secret', stdinFlag: '--secret-stdin', envFlag: '--secret-env' };
  const secret = await readSecret({ stdin: secretStdin, env: secretEnv }, names, context);
  if (secret === '') throw new UsageError('the secret is empty');
  return { secret };
}

/** Tries the key with all that this command line says, before anything is stored. */
async function verify(
  name: string,
  profile: Profile,
  context: Pick<Context, 'system' | 'flags' | 'apiFor'>,
): Promise<void> {
  const { quotas } = await context.apiFor(trialSettings(name, profile, context));
  await quotas.read();
}
