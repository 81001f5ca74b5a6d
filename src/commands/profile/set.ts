import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { UsageError } from '../../errors/errors.js';
import type { Profile } from '../../profiles/file/profile-file.js';
import { displayKeyId } from '../../profiles/settings/secret.js';
import { isSameAddress, isSameOrigin } from '../../text/base-url.js';
import { dialectOption, givenDialect } from '../../verbs/profile/dialect.js';
import {
  defaultOutputOption,
  givenDefaultOutput,
  givenProfileSettings,
  isSecretGiven,
  readProfileSecret,
  type SecretFlags,
} from '../../verbs/profile/from-flags.js';
import {
  assertNotRotating,
  assertSameCredential,
  forgetReplaced,
  keepSecret,
  ownSecret,
  type StoredSecret,
} from '../../verbs/profile/keyring-secret.js';
import { profileView, shownProfile } from '../../verbs/profile/shown-profile.js';
import { type TrialContext, tryProfile } from '../../verbs/profile/trial.js';

interface SetOptions extends SecretFlags {
  readonly askSecret?: boolean | undefined;
  readonly readOnly?: boolean | undefined;
  readonly dialect?: string | undefined;
  readonly defaultOutput?: string | undefined;
  readonly verify: boolean;
}

export function set(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        'Change settings of a profile, with the options below and the global options --base-url, --key-id, --auth, --ca-file, --timeout, --deadline and --retries. A new key ID, or an address with another origin, needs a new secret; --allow-host keeps the stored secret for the new address.',
      )
      .argument('<name>', 'a stored profile')
      .option('--ask-secret', 'prompt for a new secret')
      .option('--secret-stdin', 'read a new secret from stdin')
      .option('--secret-env <variable>', 'read a new secret from an environment variable, and store it')
      .option('--secret-command <command>', 'store a command that prints the secret, instead of the secret')
      .option('--keyring', "store the secret in the operating system's keyring")
      .option('--no-keyring', 'store the secret in the profile file again')
      .option('--read-only', 'send only GET requests; proxy also forwards HEAD and OPTIONS')
      .option('--no-read-only', 'allow changes again')
      .option(...dialectOption)
      .option(...defaultOutputOption)
      .option('--no-verify', 'store without trying the key with GET /quotas first'),
    [
      ['orgctl profile set prod --timeout 10s', 'everything else is unchanged'],
      ['orgctl profile set prod --dialect prod.yaml', "accept only responses in that file's dialect"],
      ['orgctl profile set prod --ask-secret', 'prompts for a new secret, and tries it before it is saved'],
    ],
    {
      calls: 'service',
      writes: ['profiles'],
      asks: 'for a secret, if one is needed and no option gives it',
    },
  ).action((name, options) => setProfile(name, options, context));
}

async function setProfile(
  name: string,
  options: SetOptions,
  context: TrialContext & Pick<Context, 'stdin' | 'profiles' | 'printer'>,
): Promise<void> {
  const printer = await context.printer();
  printer.check(profileView, 'value');
  const store = context.profiles();
  const stored = await store.get(name);
  const { readOnly } = options;
  const changes = {
    ...givenProfileSettings(context.flags(), {}, context),
    ...(readOnly === undefined ? {} : { readOnly }),
    ...(await givenDialect(options.dialect, context)),
    ...givenDefaultOutput(options.defaultOutput),
  };
  const inKeyring = options.keyring ?? stored.keyring ?? false;
  const isForKey = inKeyring || changesCredential(stored, changes, options);
  if (isForKey) assertNotRotating(name, stored);
  const given = await changedSecret(name, stored, changes, options, context);
  if (given === undefined && Object.keys(changes).length === 0) {
    throw new UsageError(
      'nothing to change: give at least one option',
      context.flags().output === undefined
        ? { hint: 'options', next: ['orgctl', 'profile', 'set', '--help'] }
        : { hint: `to store an output format: ${defaultOutputOption[0]}` },
    );
  }
  const change = (profile: Profile, own: StoredSecret | undefined) => ({
    ...withSecret(profile, own),
    ...changes,
  });
  const isNewToService = given !== undefined || Object.keys(changes).some((key) => !ownSettings.has(key));
  const isAsked = given !== undefined && !isSecretGiven(options);
  const tried =
    options.verify && isNewToService
      ? await tryProfile(name, change(stored, given), { isAsked }, context)
      : undefined;
  const secret = tried?.retyped ?? given;
  const leaves = leavesServer(stored, changes, options, tried?.isProved === true);
  const changed = (profile: Profile, own = secret) =>
    leaves ? withoutServer(change(profile, own)) : change(profile, own);
  const kept = secret && (await keepSecret(name, changed(stored), inKeyring, context));
  const file = await store.update(name, (profile) => {
    if (isForKey) assertSameCredential(name, profile, stored);
    return changed(profile, kept);
  });
  if (kept !== undefined) await forgetReplaced(name, stored, file, context);
  if (leaves) await context.note(`profile ${JSON.stringify(name)} is your own now; serve will not change it`);
  const shown = shownProfile(name, changed(stored, kept), file.current === name);
  await printer.one(shown, profileView);
}

/** Settings that the service cannot refuse. */
const ownSettings: ReadonlySet<string> = new Set(['timeout', 'deadline', 'retries', 'readOnly', 'output']);

/** Whether the change affects address, key ID or secret, to which an unfinished rotation is bound. */
function changesCredential(stored: Profile, { baseUrl, keyId }: Partial<Profile>, options: SetOptions) {
  return (
    options.askSecret === true ||
    isSecretGiven(options) ||
    (keyId ?? stored.keyId) !== stored.keyId ||
    (baseUrl ?? stored.baseUrl) !== stored.baseUrl
  );
}

/** Whether the changed profile may not fit the server that maintains it: that server would overwrite the change. */
function leavesServer(
  stored: Profile,
  changes: Partial<Profile>,
  options: SetOptions,
  isProved: boolean,
): boolean {
  const { baseUrl = stored.baseUrl } = changes;
  if (stored.managedBy === undefined) return false;
  return (
    !isSameAddress(baseUrl, stored.baseUrl) || (!isProved && changesCredential(stored, changes, options))
  );
}

function withoutServer(profile: Profile): Profile {
  const { managedBy: _manager, data: _data, served: _served, ...own } = profile;
  return own;
}

async function changedSecret(
  name: string,
  stored: Profile,
  changes: Partial<Profile>,
  options: SetOptions,
  context: Pick<Context, 'system' | 'stdin' | 'prompt' | 'flags'>,
): Promise<StoredSecret | undefined> {
  if (needsSecret(stored, changes, options, context))
    return readProfileSecret(options, context, whyNoStoredSecret(stored, changes));
  const { keyring = false } = stored;
  const moves = (options.keyring ?? keyring) !== keyring || (keyring && isElsewhere(stored, changes));
  return moves ? ownSecret(name, stored, context) : undefined;
}

function whyNoStoredSecret(stored: Profile, changes: Partial<Profile>): string | undefined {
  const { keyId = stored.keyId } = changes;
  if (keyId !== stored.keyId) return `the stored secret is for ${displayKeyId(stored.keyId)} only`;
  return isElsewhere(stored, changes)
    ? `the stored secret is for ${stored.baseUrl} only; keep it with --allow-host, or give another`
    : undefined;
}

function isElsewhere(stored: Profile, { baseUrl }: Partial<Profile>): boolean {
  return baseUrl !== undefined && !isSameOrigin(baseUrl, stored.baseUrl);
}

// A secret is for one key and one origin.
function needsSecret(
  stored: Profile,
  changes: Partial<Profile>,
  options: SetOptions,
  { flags }: Pick<Context, 'flags'>,
): boolean {
  if (options.askSecret && isSecretGiven(options)) {
    throw new UsageError('--ask-secret and another source of the secret cannot be combined');
  }
  const { keyId } = changes;
  return (
    options.askSecret === true ||
    isSecretGiven(options) ||
    (keyId !== undefined && keyId !== stored.keyId) ||
    (options.keyring === true && !stored.keyring && stored.secret === undefined) ||
    (isElsewhere(stored, changes) && flags().allowHost !== true)
  );
}

function withSecret(profile: Profile, secret: StoredSecret | undefined): Profile {
  if (secret === undefined) return profile;
  const { secret: _old, secretCommand: _command, keyring: _keyring, ...rest } = profile;
  return { ...rest, ...secret };
}
