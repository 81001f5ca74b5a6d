import { argument, option, verb } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { ConfigError, OrgctlError, UsageError } from '../../errors/errors.js';
import { isRotating, type Profile } from '../../profiles/file/profile-file.js';
import { displayKeyId } from '../../profiles/settings/secret.js';
import { isSameOrigin } from '../../text/base-url.js';
import { givenProfile, profileOptions } from './given.js';
import {
  forgetSecret,
  isSecretGiven,
  keepSecret,
  readProfileSecret,
  type SecretOptions,
  type StoredSecret,
  tryProfile,
} from './secret.js';
import { profileView, shownProfile } from './view.js';

interface NewSecretOptions extends SecretOptions {
  readonly askSecret?: boolean | undefined;
}

export const set = verb('set', {
  summary: 'change settings of a profile',
  description:
    'Change settings of a profile, with the options below and the global options --base-url, --key-id, --auth, --ca-file, --timeout, --deadline and --retries. A new key ID, or an address with another origin, needs a new secret; --allow-host keeps the stored secret for the new address.',
  args: [argument('<name>', 'a stored profile')],
  options: [
    option('--ask-secret', 'prompt for a new secret'),
    option('--secret-stdin', 'read a new secret from stdin'),
    option('--secret-env <variable>', 'read a new secret from an environment variable, and store it'),
    option('--secret-command <command>', 'store a command that prints the secret, instead of the secret'),
    option('--keyring', "store the secret in the operating system's keyring"),
    option('--no-keyring', 'store the secret in the profile file again'),
    option('--read-only', 'send only GET requests; proxy also forwards HEAD and OPTIONS'),
    option('--no-read-only', 'allow changes again'),
    ...profileOptions,
  ],
  examples: [
    ['orgctl profile set prod --timeout 10s', 'everything else is unchanged'],
    ['orgctl profile set prod --dialect prod.yaml', "accept only responses in that file's dialect"],
    ['orgctl profile set prod --ask-secret', 'prompts for a new secret, and tries it before it is saved'],
  ],
  calls: 'service',
  writes: ['profiles'],
  asks: 'for a secret, if one is needed and no option gives it',
  async run(context, [name], options) {
    const printer = await context.printer();
    printer.check(profileView, 'value');
    const store = context.profiles();
    const stored = await store.get(name);
    const changes = await givenProfile(options, context);
    const reason = whyNewSecret(stored, changes, options, context);
    const isOfKey = reason !== undefined || (changes.baseUrl ?? stored.baseUrl) !== stored.baseUrl;
    if (isOfKey) assertUnchanged(name, stored, stored);
    const secret = reason && (await readProfileSecret(options, context, reason.why));
    if (secret === undefined && Object.keys(changes).length === 0) throw nothingToChange(context);
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
      if (isOfKey) assertUnchanged(name, current, stored);
      return change(current, kept);
    });
    if (kept !== undefined) {
      await forgetSecret(name, stored, file.profiles, context).catch(async (error: unknown) => {
        if (!(error instanceof OrgctlError)) throw error;
        await context.note(`the former secret is still in the keyring: ${error.message}`);
      });
    }
    if (stored.managedBy !== undefined) {
      await context.note(
        isOfKey
          ? `profile ${JSON.stringify(name)} is your own now; serve will not change it`
          : `serve overwrites profile ${JSON.stringify(name)} at its next start`,
      );
    }
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
  { keyId = stored.keyId, baseUrl }: Partial<Profile>,
  options: NewSecretOptions,
  { flags }: Context,
): { readonly why?: string } | undefined {
  if (options.askSecret && isSecretGiven(options))
    throw new UsageError('--ask-secret and another source of the secret cannot be combined');
  const { keyring: inKeyring = false } = stored;
  if (keyId !== stored.keyId) return { why: `the stored secret is for ${displayKeyId(stored.keyId)} only` };
  const isElsewhere = baseUrl !== undefined && !isSameOrigin(baseUrl, stored.baseUrl);
  // The keyring names the origin of each secret.
  if (isElsewhere && inKeyring) return { why: `the secret in the keyring is for ${stored.baseUrl} only` };
  if (isElsewhere && flags().allowHost !== true)
    return {
      why: `the stored secret is for ${stored.baseUrl} only; keep it with --allow-host, or give another`,
    };
  const isMoved = (options.keyring ?? inKeyring) !== inKeyring;
  return options.askSecret === true || isSecretGiven(options) || isMoved ? {} : undefined;
}

/**
 * A rotation's records are bound to address, key and secret, and a secret that it has stored is nowhere else.
 * @throws ConfigError during a rotation, or if another process has changed one of the three
 */
function assertUnchanged(name: string, current: Profile, { baseUrl, keyId, secret }: Profile): void {
  const profile = `profile ${JSON.stringify(name)}`;
  if (isRotating(current)) {
    throw new ConfigError(`the key rotation of ${profile} is unfinished`, {
      hint: 'finish it first',
      next: ['orgctl', 'api-keys', 'rotate', '-p', name],
    });
  }
  if (current.baseUrl === baseUrl && current.keyId === keyId && current.secret === secret) return;
  throw new ConfigError(`another process has changed ${profile}; nothing was changed here`, {
    hint: 'run the same command again',
  });
}

function nothingToChange({ flags }: Context): UsageError {
  return new UsageError(
    'nothing to change: give at least one option',
    flags().output === undefined
      ? { hint: 'options', next: ['orgctl', 'profile', 'set', '--help'] }
      : { hint: 'to store an output format: --default-output <format>' },
  );
}
