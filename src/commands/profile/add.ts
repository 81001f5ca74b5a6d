import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { askMissing, type MissingAnswer } from '../../input/ask-missing.js';
import { assertFree } from '../../profiles/file/profile-file.js';
import { parseTyped, settings } from '../../profiles/settings/settings.js';
import { dialectOption, givenDialect } from '../../verbs/profile/dialect.js';
import {
  defaultOutputOption,
  givenDefaultOutput,
  givenProfileSettings,
  isSecretGiven,
  readProfileSecret,
  type SecretFlags,
} from '../../verbs/profile/from-flags.js';
import { keepSecret } from '../../verbs/profile/keyring-secret.js';
import { profileView, shownProfile } from '../../verbs/profile/shown-profile.js';
import { type TrialContext, tryProfile } from '../../verbs/profile/trial.js';

interface AddOptions extends SecretFlags {
  readonly readOnly?: boolean | undefined;
  readonly defaultOutput?: string | undefined;
  readonly dialect?: string | undefined;
  readonly verify: boolean;
}

export function add(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        'Save the address and key of a service as a profile. The global options --base-url, --key-id, --auth, --ca-file, --timeout, --deadline and --retries are stored in the profile, a relative --ca-file as an absolute path. On a terminal, orgctl prompts for a missing name, address or key ID, and for the secret unless an option supplies it.',
      )
      .argument('[name]', 'letters, digits, "_" and "-"')
      .option('--secret-stdin', 'read the secret from stdin')
      .option('--secret-env <variable>', 'read the secret from an environment variable, and store it')
      .option('--secret-command <command>', 'store a command that prints the secret, instead of the secret')
      .option('--keyring', "store the secret in the operating system's keyring")
      .option('--read-only', 'send only GET requests; proxy also forwards HEAD and OPTIONS')
      .option(...dialectOption)
      .option(...defaultOutputOption)
      .option('--no-verify', 'store without trying the key with GET /quotas first'),
    [
      ['orgctl profile add', 'prompts for everything'],
      [
        'orgctl profile add prod --base-url https://api.example.com --key-id key_abc',
        'prompts for the secret',
      ],
      [
        "orgctl profile add prod --base-url https://api.example.com --key-id key_abc --secret-command 'pass show orgctl'",
        'the secret stays where it is',
      ],
    ],
    {
      calls: 'service',
      writes: ['profiles'],
      asks: 'for what the options leave out: name, address, key ID and secret',
    },
  ).action((name, options) => addProfile(name, options, context));
}

type AddContext = TrialContext & Pick<Context, 'stdin' | 'profiles' | 'printer'>;

const addHint = 'orgctl profile add NAME --base-url https://… --key-id key_…';

async function addProfile(
  named: string | undefined,
  options: AddOptions,
  context: AddContext,
): Promise<void> {
  const printer = await context.printer();
  printer.check(profileView, 'value');
  const store = context.profiles();
  const file = await store.read();
  const question: MissingAnswer = ['NAME', 'Name of the profile', (answer) => assertFree(file, answer)];
  const name =
    named ??
    context.flags().profile ??
    (await askMissing([question], { hint: addHint }, context)).get('NAME') ??
    '';
  assertFree(file, name);
  const place = await findStore(context);
  const dialect = await givenDialect(options.dialect, context);
  const output = givenDefaultOutput(options.defaultOutput);
  const readOnly = options.readOnly ? { readOnly: true } : {};
  const profile = {
    ...place,
    ...(await readProfileSecret(options, context)),
    ...readOnly,
    ...dialect,
    ...output,
  };
  const isAsked = !isSecretGiven(options);
  const tried = options.verify ? await tryProfile(name, profile, { isAsked }, context) : undefined;
  const { secret: _given, ...rest } = profile;
  const proved = { ...profile, ...tried?.retyped };
  const kept = { ...rest, ...(await keepSecret(name, proved, options.keyring === true, context)) };
  const { current } = await store.add(name, kept);
  const shown = shownProfile(name, kept, current === name);
  await printer.one(shown, profileView);
  if (current !== name) await context.note(`make it the current one: orgctl profile use ${name}`);
}

async function findStore(context: AddContext) {
  const given = context.flags();
  const { env } = context.system;
  const known = givenProfileSettings(given, env, context);
  const questions: readonly MissingAnswer[] = [
    ['--base-url', 'Address of the service', (answer) => parseTyped(settings.baseUrl, answer)],
    ['--key-id', 'API key ID', (answer) => parseTyped(settings.keyId, answer)],
  ];
  const missing = questions.filter(
    ([flag]) => (flag === '--base-url' ? known.baseUrl : known.keyId) === undefined,
  );
  const answers = await askMissing(missing, { hint: addHint }, context);
  const baseUrl = answers.get('--base-url') ?? known.baseUrl ?? '';
  const keyId = answers.get('--key-id') ?? known.keyId ?? '';
  const { baseUrl: checked = baseUrl, ...rest } = givenProfileSettings(
    { ...given, baseUrl, keyId },
    env,
    context,
  );
  return { ...rest, baseUrl: checked, keyId };
}
