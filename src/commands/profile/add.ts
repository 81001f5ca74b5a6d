import { argument, verb } from '../../cli/command.js';
import { askMissing, type MissingAnswer } from '../../input/questions.js';
import { assertFree } from '../../profiles/file/store.js';
import { settings } from '../../profiles/settings/settings.js';
import { givenProfile, givenSettings, profileOptions } from './given.js';
import { keepSecret, readProfileSecret, tryProfile } from './secret.js';
import { profileView, shownProfile } from './view.js';

export const add = verb('add', {
  summary: 'save the address and key of a service',
  description:
    'Save the address and key of a service as a profile. The global options --base-url, --key-id, --auth, --ca-file, --timeout, --deadline and --retries are stored in the profile, a relative --ca-file as an absolute path. On a terminal, orgctl prompts for a missing name, address or key ID, and for the secret unless an option supplies it.',
  args: [argument('[name]', 'letters, digits, "_" and "-"')],
  options: [...profileOptions],
  examples: [
    ['orgctl profile add', 'prompts for everything'],
    ['orgctl profile add prod --base-url https://api.example.com --key-id key_abc', 'prompts for the secret'],
  ],
  calls: 'service',
  writes: ['profiles'],
  asks: 'for what the options leave out: name, address, key ID and secret',
  async run(context, [named], options) {
    const printer = await context.printer();
    printer.check(profileView);
    const store = context.profiles();
    const file = await store.read();
    const typed = named ?? context.flags().profile;
    if (typed !== undefined) assertFree(file, typed);
    const settled = {
      ...givenSettings(context.system.env, context),
      ...(await givenProfile(options, context)),
    };
    const questions: readonly (readonly [unknown, ...MissingAnswer])[] = [
      [typed, 'NAME', 'Name of the profile', (answer) => assertFree(file, answer)],
      [settled.baseUrl, '--base-url', 'Address of the service', settings.baseUrl.parse],
      [settled.keyId, '--key-id', 'API key ID', settings.keyId.parse],
    ];
    const missing = questions.flatMap(([has, ...question]) => (has === undefined ? [question] : []));
    const hint = 'orgctl profile add NAME --base-url https://… --key-id key_…';
    const answers = await askMissing(missing, { hint }, context);
    const name = typed ?? answers.get('NAME') ?? '';
    const given = {
      ...settled,
      baseUrl: settled.baseUrl ?? settings.baseUrl.parse(answers.get('--base-url') ?? '').href,
      keyId: settled.keyId ?? answers.get('--key-id') ?? '',
    };
    const profile = { ...given, ...(await readProfileSecret(options, context)) };
    if (options.verify !== false) await tryProfile(name, profile, context);
    const kept = { ...given, ...(await keepSecret(name, profile, options.keyring === true, context)) };
    const { current } = await store.add(name, kept);
    await printer.one(shownProfile(name, kept, current === name), profileView);
    if (current !== name) await context.note(`make it the current one: orgctl profile use ${name}`);
  },
});
