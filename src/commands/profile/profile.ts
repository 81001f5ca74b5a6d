import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { ConfigError } from '../../errors/errors.js';
import { namesHint, type Profile, profileNamed, unknownProfile } from '../../profiles/file/profile-file.js';
import { displayKeyId, maskSecret } from '../../profiles/settings/secret.js';
import type { View } from '../../terminal/output/printer.js';

/** `orgctl profile list` */
export function list(command: Command, context: Context): void {
  withExamples(
    command.description('List the stored profiles; secrets are masked.'),
    [['orgctl profile list', 'the current one has a star']],
    {},
  ).action(() => listProfiles(context));
}

async function listProfiles(context: Pick<Context, 'profiles' | 'printer'>): Promise<void> {
  const profiles = await context.profiles().list();
  const printer = await context.printer();
  await printer.list(
    profiles.map(({ name, profile, current }) => shownProfile(name, profile, current)),
    profileView,
  );
}

/** `orgctl profile show [name]` */
export function show(command: Command, context: Context): void {
  withExamples(
    command
      .description('Show one profile, its secret masked; without a name the current one.')
      .argument('[name]', 'a stored profile'),
    [['orgctl profile show prod -o json', 'everything stored except the secret']],
    {},
  ).action((name) => showProfile(name, context));
}

async function showProfile(
  named: string | undefined,
  context: Pick<Context, 'profiles' | 'printer'>,
): Promise<void> {
  const file = await context.profiles().read();
  const name = named ?? file.current;
  if (name === undefined) throw new ConfigError('no profile is the current one', { hint: namesHint(file) });
  const profile = profileNamed(file, name);
  if (profile === undefined) throw unknownProfile(file, name);
  const shown = shownProfile(name, profile, name === file.current);
  await (await context.printer()).one(shown, profileView);
}

/** `orgctl profile use <name>` */
export function use(command: Command, context: Context): void {
  withExamples(
    command.description('Make a profile the current one.').argument('<name>', 'a stored profile'),
    [['orgctl profile use prod', 'from now on without --profile prod']],
    { writes: ['profiles'] },
  ).action((name) => useProfile(name, context));
}

async function useProfile(name: string, context: Pick<Context, 'profiles' | 'note'>): Promise<void> {
  await context.profiles().use(name);
  await context.note(`the current profile is ${name}`);
}

/** `orgctl profile rename <name> <new-name>` */
export function rename(command: Command, context: Context): void {
  withExamples(
    command
      .description('Give a profile another name; the current one stays current.')
      .argument('<name>', 'a stored profile')
      .argument('<new-name>', 'letters, digits, "_" and "-"'),
    [['orgctl profile rename prod production', 'prod becomes production']],
    { writes: ['profiles'] },
  ).action((name, to) => renameProfile(name, to, context));
}

async function renameProfile(
  name: string,
  to: string,
  context: Pick<Context, 'profiles' | 'note'>,
): Promise<void> {
  await context.profiles().rename(name, to);
  await context.note(`profile ${name} is now ${to}`);
}

/** `orgctl profile path` */
export function path(command: Command, context: Context): void {
  withExamples(
    command.description('Print where the profiles are kept; the file need not exist yet.'),
    [['ls -l "$(orgctl profile path)"', 'the file with its mode, 0600']],
    {},
  ).action(() => printPath(context));
}

async function printPath(context: Pick<Context, 'profiles' | 'printer'>): Promise<void> {
  await (await context.printer()).line(context.profiles().path());
}

/** A profile as it may be shown: without its secrets. */
export interface ShownProfile {
  readonly name: string;
  readonly current: boolean;
  readonly baseUrl: string;
  readonly keyId: string;
  /** Whether it is set and how long it is, or where it is kept. */
  readonly secret: string;
  readonly auth?: string | undefined;
  readonly caFile?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly timeout?: string | undefined;
  readonly deadline?: string | undefined;
  readonly retries?: string | number | undefined;
  readonly output?: string | undefined;
  readonly managedBy?: string | undefined;
}

export function shownProfile(name: string, profile: Profile, current: boolean): ShownProfile {
  const { baseUrl, keyId, auth, caFile, readOnly, timeout, deadline, retries, output, managedBy } = profile;
  return {
    name,
    current,
    baseUrl,
    keyId: displayKeyId(keyId),
    secret: shownSecret(profile),
    auth,
    caFile,
    readOnly,
    timeout,
    deadline,
    retries,
    output,
    managedBy,
  };
}

// The command is not shown: it may hold the credentials of another secret store.
function shownSecret({ secret, secretCommand, keyring }: Profile): string {
  if (keyring) return 'in the keyring';
  if (secretCommand !== undefined) return 'from a command';
  return secret === undefined ? 'not stored' : maskSecret(secret);
}

export const profileView: View<ShownProfile> = {
  columns: [
    { header: 'CURRENT', value: ({ current }) => (current ? '*' : '') },
    { header: 'NAME', value: 'name' },
    { header: 'BASE URL', value: 'baseUrl' },
    { header: 'KEY ID', value: 'keyId' },
    { header: 'SECRET', value: 'secret' },
    { header: 'AUTH', value: ({ auth = 'hmac' }) => auth },
    { header: 'READ-ONLY', value: ({ readOnly = false }) => readOnly },
  ],
  empty: 'no profiles; make one: orgctl profile add NAME --base-url https://… --key-id key_…',
};
