import { argument, option, verb } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { askMissing, type MissingAnswer } from '../../input/ask-missing.js';
import { assertFree } from '../../profiles/file/profile-file.js';
import { parseTyped, settings } from '../../profiles/settings/settings.js';
import { givenProfile, givenSettings, profileOptions } from './given.js';
import { keepSecret, readProfileSecret, tryProfile } from './secret.js';
import { profileView, shownProfile } from './view.js';

export const add = verb('add', {
  summary: 'save the address and key of a service',
  description:
    'Save the address and key of a service as a profile. The global options --base-url, --key-id, --auth, --ca-file, --timeout, --deadline and --retries are stored in the profile, a relative --ca-file as an absolute path. On a terminal, orgctl prompts for a missing name, address or key ID, and for the secret unless an option supplies it.',
  args: [argument('[name]', 'letters, digits, "_" and "-"')],
  options: [
    option('--secret-stdin', 'read the secret from stdin'),
    option('--secret-env <variable>', 'read the secret from an environment variable, and store it'),
    option('--secret-command <command>', 'store a command that prints the secret, instead of the secret'),
    option('--keyring', "store the secret in the operating system's keyring"),
    option('--read-only', 'send only GET requests; proxy also forwards HEAD and OPTIONS'),
    ...profileOptions,
  ],
  examples: [
    ['orgctl profile add', 'prompts for everything'],
    ['orgctl profile add prod --base-url https://api.example.com --key-id key_abc', 'prompts for the secret'],
    [
      "orgctl profile add prod --base-url https://api.example.com --key-id key_abc --secret-command 'pass show orgctl'",
      'the secret stays where it is',
    ],
  ],
  calls: 'service',
  writes: ['profiles'],
  asks: 'for what the options leave out: name, address, key ID and secret',
  async run(context, [named], options) {
    const printer = await context.printer();
    printer.check(profileView, 'value');
    const store = context.profiles();
    const file = await store.read();
    const question: MissingAnswer = ['NAME', 'Name of the profile', (answer) => assertFree(file, answer)];
    const asked = named ?? context.flags().profile;
    const name = asked ?? (await askMissing([question], addHint, context)).get('NAME') ?? '';
    assertFree(file, name);
    const place = await findService(context);
    const given = { ...place, ...(await givenProfile(options, context)) };
    const profile = { ...given, ...(await readProfileSecret(options, context)) };
    if (options.verify !== false) await tryProfile(name, profile, context);
    const kept = { ...given, ...(await keepSecret(name, profile, options.keyring === true, context)) };
    const { current } = await store.add(name, kept);
    await printer.one(shownProfile(name, kept, current === name), profileView);
    if (current !== name) await context.note(`make it the current one: orgctl profile use ${name}`);
  },
});

const addHint = { hint: 'orgctl profile add NAME --base-url https://… --key-id key_…' };

/** Address, key ID and CA file, which variables may give, too; asks for the first two. */
async function findService(context: Context) {
  const { env } = context.system;
  const flags = context.flags();
  const { baseUrl, keyId, ...others } = givenSettings(flags, env, context);
  const questions: readonly MissingAnswer[] = [
    ['--base-url', 'Address of the service', (answer) => parseTyped(settings.baseUrl, answer)],
    ['--key-id', 'API key ID', (answer) => parseTyped(settings.keyId, answer)],
  ];
  const missing = questions.filter(([flag]) => (flag === '--base-url' ? baseUrl : keyId) === undefined);
  const answers = await askMissing(missing, addHint, context);
  const address = answers.get('--base-url');
  return {
    ...others,
    baseUrl: baseUrl ?? parseTyped(settings.baseUrl, address ?? '').href,
    keyId: keyId ?? answers.get('--key-id') ?? '',
  };
}
