import { isDeepStrictEqual } from 'node:util';
import { argument, option, verb } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { ConfigError, OrgctlError, UsageError } from '../../errors/errors.js';
import { askMissing, type MissingAnswer } from '../../input/questions.js';
import { type Profile, storedKeys } from '../../profiles/file/parse-profile-file.js';
import { assertFree, isRotating } from '../../profiles/file/store.js';
import { displayKeyId } from '../../profiles/settings/secret.js';
import { settings } from '../../profiles/settings/settings.js';
import { isSameOrigin } from '../../text/base-url.js';
import {
  forgetSecret,
  givenProfile,
  givenSettings,
  keepSecret,
  type ProfileOptions,
  profileOptions,
  readProfileSecret,
  type StoredSecret,
  tryProfile,
} from './given.js';
import { profileView, shownProfile } from './view.js';

const storedGlobals = `the global options ${storedKeys.map((key) => settings[key].flag.option).join(', ')}`;

export const add = verb('add', {
  summary: 'save the address and key of a service',
  description: `Save the address and key of a service as a profile, with ${storedGlobals}. On a terminal, orgctl prompts for what is missing.`,
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

export const set = verb('set', {
  summary: 'change settings of a profile',
  description: `Change settings of a profile, with the options below and ${storedGlobals}. A new key ID, or an address with another origin, needs a new secret; --allow-host keeps the stored secret for the new address.`,
  args: [argument('<name>', 'a stored profile')],
  options: [
    option('--ask-secret', 'prompt for a new secret', {
      conflicts: ['secretStdin', 'secretEnv', 'secretCommand'],
    }),
    ...profileOptions,
    option('--no-keyring', 'store the secret in the profile file again'),
    option('--no-read-only', 'allow changes again'),
  ],
  examples: [
    ['orgctl profile set prod --timeout 10s', 'everything else is unchanged'],
    ['orgctl profile set prod --ask-secret', 'prompts for a new secret, and tries it before it is saved'],
  ],
  calls: 'service',
  writes: ['profiles'],
  asks: 'for a secret, if one is needed and no option gives it',
  async run(context, [name], options) {
    const printer = await context.printer();
    printer.check(profileView);
    const store = context.profiles();
    const stored = await store.get(name);
    const changes = await givenProfile(options, context);
    const reason = whyNewSecret(stored, changes, options, context);
    const isOfKey = reason !== undefined || (changes.baseUrl ?? stored.baseUrl) !== stored.baseUrl;
    if (isOfKey && isRotating(stored))
      throw new ConfigError(`the key rotation of profile ${JSON.stringify(name)} is unfinished`, {
        hint: 'finish it first',
        next: ['orgctl', 'api-keys', 'rotate', '-p', name],
      });
    const secret = reason && (await readProfileSecret(options, context, reason.why));
    if (secret === undefined && Object.keys(changes).length === 0)
      throw new UsageError('nothing to change: give at least one option');
    const change = (profile: Profile, own: StoredSecret | undefined) => ({
      ...(isOfKey ? withoutServer(profile) : profile),
      ...(own && { secret: undefined, secretCommand: undefined, keyring: undefined, ...own }),
      ...changes,
    });
    const isSeen = secret !== undefined || Object.keys(changes).some((key) => ofService.has(key));
    if (options.verify !== false && isSeen) await tryProfile(name, change(stored, secret), context);
    const inKeyring = options.keyring ?? stored.keyring ?? false;
    const kept = secret && (await keepSecret(name, change(stored, secret), inKeyring, context));
    const file = await store.update(name, (current) => {
      // Address, key and secret belong together, and a rotation may have stored new ones meanwhile.
      if (isOfKey && !isDeepStrictEqual(current, stored))
        throw new ConfigError('another process has changed this profile; nothing was changed here');
      return change(current, kept);
    });
    if (kept !== undefined) {
      await forgetSecret(name, stored, file.profiles, context).catch(async (error: unknown) => {
        if (!(error instanceof OrgctlError)) throw error;
        await context.note(`the former secret is still in the keyring: ${error.message}`);
      });
    }
    if (stored.managedBy !== undefined && !isOfKey)
      await context.note(`profile ${JSON.stringify(name)} is overwritten when serve starts next`);
    await printer.one(shownProfile(name, change(stored, kept), file.current === name), profileView);
  },
});

/** Settings that decide whether a request succeeds. */
const ofService: ReadonlySet<string> = new Set(['baseUrl', 'keyId', 'auth', 'caFile', 'dialect']);

/** With another address or key, `serve` no longer manages the profile. */
function withoutServer({ managedBy: _manager, data: _data, ...own }: Profile): Profile {
  return own;
}

/** Whether the profile needs a new secret, and why if no option gives one: a secret is for one key and one origin. */
function whyNewSecret(
  stored: Profile,
  { keyId = stored.keyId, baseUrl = stored.baseUrl }: Partial<Profile>,
  options: ProfileOptions & { readonly askSecret?: true | undefined },
  { flags }: Context,
): { readonly why?: string } | undefined {
  const { askSecret, secretStdin, secretEnv, secretCommand } = options;
  const { keyring: inKeyring = false } = stored;
  if (keyId !== stored.keyId) return { why: `the stored secret is for ${displayKeyId(stored.keyId)} only` };
  // An entry of the keyring is for one origin, even with --allow-host.
  const isElsewhere = baseUrl !== stored.baseUrl && !isSameOrigin(baseUrl, stored.baseUrl);
  if (isElsewhere && (inKeyring || !flags().allowHost)) {
    const otherwise = inKeyring ? '' : '; keep it with --allow-host, or give another';
    return { why: `the stored secret is for ${stored.baseUrl} only${otherwise}` };
  }
  const isMoved = (options.keyring ?? inKeyring) !== inKeyring;
  return askSecret || secretStdin || secretEnv !== undefined || secretCommand !== undefined || isMoved
    ? {}
    : undefined;
}
