import { isDeepStrictEqual } from 'node:util';
import { argument, option, verb } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { ConfigError, OrgctlError, UsageError } from '../../errors/errors.js';
import type { Profile } from '../../profiles/file/parse-profile-file.js';
import { isRotating } from '../../profiles/file/store.js';
import { displayKeyId } from '../../profiles/settings/secret.js';
import { isSameOrigin } from '../../text/base-url.js';
import {
  forgetSecret,
  givenProfile,
  keepSecret,
  type ProfileOptions,
  profileOptions,
  readProfileSecret,
  type StoredSecret,
  storedGlobals,
  tryProfile,
} from './given.js';
import { profileView, shownProfile } from './view.js';

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
    const isSeen = secret !== undefined || Object.keys(changes).some((key) => !ownSettings.has(key));
    if (options.verify !== false && isSeen) await tryProfile(name, change(stored, secret), context);
    const inKeyring = options.keyring ?? stored.keyring ?? false;
    const kept = secret && (await keepSecret(name, change(stored, secret), inKeyring, context));
    const file = await store.update(name, (current) => {
      // Address, key and secret belong together, and a rotation may have stored its own meanwhile.
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

/** Settings that the service cannot refuse. */
const ownSettings: ReadonlySet<string> = new Set(['timeout', 'deadline', 'retries', 'readOnly', 'output']);

/** A profile with another address or key is the user's own from now on. */
function withoutServer({ managedBy: _manager, data: _data, ...own }: Profile): Profile {
  return own;
}

/** Whether the profile needs a new secret, and why if no option asks for it: a secret is for one key and one origin. */
function whyNewSecret(
  stored: Profile,
  { keyId = stored.keyId, baseUrl = stored.baseUrl }: Partial<Profile>,
  options: ProfileOptions & { readonly askSecret?: true | undefined },
  { flags }: Context,
): { readonly why?: string } | undefined {
  const { askSecret, secretStdin, secretEnv, secretCommand } = options;
  const { keyring: inKeyring = false } = stored;
  if (keyId !== stored.keyId) return { why: `the stored secret is for ${displayKeyId(stored.keyId)} only` };
  // The keyring names the origin of each secret.
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
