import { argument, group, option, verb } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import type { Define } from '../../cli/lazy-command.js';
import { ConfigError, OrgctlError, UsageError, withHint } from '../../errors/errors.js';
import { showPath, whyMissing, whyNoHome } from '../../platform/home-directory.js';
import {
  findProfile,
  firstProfileHint,
  isRotating,
  namesHint,
  type ProfileFile,
  requireProfile,
} from '../../profiles/file/profile-file.js';
import { displayKeyId } from '../../profiles/settings/secret.js';
import { settingVariables } from '../../profiles/settings/secret-file.js';
import { describeSource, givenSetting, settings } from '../../profiles/settings/settings.js';
import { listEveryColumn } from '../../terminal/formats/columns.js';
import { quoteForShell } from '../../text/shell-quote.js';
import { adviseIfUnwritten, nothingChanged, rescueSecret } from '../resource/print.js';
import { add } from './add.js';
import { noteLimits, profileEnvironment } from './environment.js';
import { forgetSecret } from './secret.js';
import { set } from './set.js';
import { profileView, shownProfile } from './view.js';

const storedName = argument('<name>', 'a stored profile');
const optionalName = argument('[name]', 'a stored profile');

const list = verb('list', {
  summary: 'list the stored profiles',
  description: 'List the stored profiles; secrets are masked.',
  examples: [
    ['orgctl profile list', 'the current one has a star'],
    ["orgctl profile list --query '[].name' -r", 'only the names, for a script'],
  ],
  async run(context) {
    const store = context.profiles();
    const file = await store.read();
    const missing = whyMissing(store.path());
    const empty = missing === undefined ? profileView.empty : `no profiles: ${missing}; ${firstProfileHint}`;
    const shown = Object.entries(file.profiles).map(([name, profile]) =>
      shownProfile(name, profile, name === file.current),
    );
    await (await context.printer()).list(shown, { ...profileView, empty });
    if (shown.length > 0) await noteOverrides(file, context);
  },
});

const show = verb('show', {
  summary: 'show one profile, its secret masked',
  description: 'Show a profile, by default the one in use, with its secret masked.',
  args: [optionalName],
  examples: [
    ['orgctl profile show', 'the one that other commands would use'],
    ['orgctl profile show prod -o json', 'as JSON, with the secret masked'],
  ],
  async run(context, [named]) {
    const { file, name, profile } = await chooseProfile(named, context);
    const shown = shownProfile(name, profile, name === file.current);
    const every = { ...profileView, columns: listEveryColumn(profileView), block: true } as const;
    await (await context.printer()).one(shown, context.flags().columns === undefined ? every : profileView);
    if (!isRotating(profile)) return;
    const next = ['orgctl', 'api-keys', 'rotate', '-p', name];
    await context.note('the key rotation of this profile is unfinished; finish it', next);
  },
});

const use = verb('use', {
  summary: 'make a profile current',
  description: 'Make a profile the current one.',
  args: [storedName],
  examples: [
    ['orgctl profile use prod', 'later commands need no --profile prod'],
    ['orgctl profile use local', 'back to the server on this machine'],
  ],
  writes: ['profiles'],
  async run(context, [name]) {
    const file = await context.profiles().use(name);
    await context.note(`the current profile is ${JSON.stringify(name)}`);
    await noteOverrides(file, context);
  },
});

const rename = verb('rename', {
  summary: 'rename a profile',
  description: 'Rename a profile. The current profile stays current.',
  args: [storedName, argument('<new-name>', 'letters, digits, "_" and "-"')],
  examples: [
    ['orgctl profile rename prod production', 'prod becomes production'],
    ['orgctl profile rename staging staging-old', 'to make room for a new one'],
  ],
  writes: ['profiles'],
  async run(context, [name, to]) {
    await context.profiles().rename(name, to);
    await context.note(`profile ${JSON.stringify(name)} is now ${JSON.stringify(to)}`);
  },
});

const remove = verb('remove', {
  summary: 'delete a profile and its secret',
  description: 'Delete a profile and its stored secret. The API key itself stays valid.',
  args: [storedName],
  options: [option('-y, --yes', 'do not prompt, even if a stored secret is removed too')],
  examples: [
    ['orgctl profile remove staging', 'the key stays valid on the service'],
    ['orgctl profile remove staging --yes', 'without a prompt, in a script'],
  ],
  writes: ['profiles'],
  asks: 'if a stored secret is removed too, unless --yes',
  async run(context, [name], { yes }) {
    const store = context.profiles();
    const profile = await store.get(name);
    if ((profile.secret !== undefined || profile.keyring) && !yes) {
      const question = `Remove profile ${JSON.stringify(name)} and the stored secret of ${displayKeyId(profile.keyId)}?`;
      const { confirm } = await context.prompt();
      await confirm(question, { hint: 'pass --yes', declined: 'nothing was removed' });
    }
    const { [name]: _removed, ...others } = (await store.read()).profiles;
    await forgetSecret(name, profile, others, context).catch((error: unknown) => {
      if (!(error instanceof OrgctlError)) throw error;
      const otherwise =
        'or leave the secret in the keyring, and remove the profile from the file whose path orgctl profile path prints';
      throw withHint(error, `${error.details.hint}; ${otherwise}`);
    });
    const { pending, retiring } = profile;
    if (pending?.secret) {
      await store.assertWritable();
      const key = { id: pending.keyId, secret: pending.secret };
      await rescueSecret(key, 'an unfinished rotation had created a key', context);
    }
    const { current } = await store.remove(name);
    if (retiring !== undefined) {
      await context.note(
        `${displayKeyId(retiring)}, which an unfinished rotation replaced, may still be valid`,
      );
    }
    await context.note(`profile "${name}" removed`);
    if (current === undefined)
      await context.note('no profile is current now; choose one with orgctl profile use NAME');
  },
});

const env = verb('env', {
  summary: 'print a profile as variables, with its secret',
  description:
    'Print a profile, by default the one in use, as shell variables, including its secret. The lines also unset the variables for settings that the profile does not have. For a read-only profile, ORGCTL_READ_ONLY makes orgctl refuse changes in that shell too; other programs can make them. orgctl exec passes the variables to one command only.',
  args: [optionalName],
  options: [
    option('-y, --yes', 'do not prompt; also print a secret that is in the keyring or comes from a command'),
  ],
  examples: [
    ['eval "$(orgctl profile env staging)"', 'this shell uses it from now on'],
    ['orgctl profile env staging --query ORGCTL_BASE_URL -r', 'only its address'],
  ],
  asks: 'before it prints a secret on a terminal, unless --yes',
  async run(context, [named], { yes = false }) {
    const { name, profile } = await chooseProfile(named, context);
    const printer = await context.textPrinter();
    const isSeen = context.streams.stdout.isTerminal;
    if (isSeen && !yes) {
      const { confirm } = await context.prompt();
      const question = `Print the secret of profile ${JSON.stringify(name)}?`;
      await confirm(question, { hint: 'pass --yes', declined: 'nothing was done' });
    }
    const variables = await profileEnvironment(name, profile, yes || isSeen, context);
    await noteLimits(name, profile, 'this shell', context);
    const unset = settingVariables.filter((variable) => !(variable in variables));
    const lines = Object.entries(variables).map(
      ([variable, value]) => `export ${variable}=${quoteForShell(value)}\n`,
    );
    const text = [`unset ${unset.join(' ')}\n`, ...lines].join('');
    await adviseIfUnwritten(printer.prose(variables, text), nothingChanged);
  },
});

const path = verb('path', {
  summary: 'print the path of the profile file',
  description: 'Print the path of the profile file, which need not exist yet.',
  examples: [
    ['ls -l "$(orgctl profile path)"', 'the file with its mode, 0600'],
    ['ORGCTL_CONFIG_DIR=./team orgctl profile path', 'with the profiles in another directory'],
  ],
  async run(context) {
    const file = context.profiles().path();
    if (showPath(file) !== file) {
      throw new ConfigError(`the profile file has no path: ${whyNoHome(file)}`, {
        hint: 'set HOME or ORGCTL_CONFIG_DIR to a directory of your own',
      });
    }
    await (await context.textPrinter()).line(file);
  },
});

export const profile: Define = (parser, context) => {
  group({
    description: 'Manage profiles: the services and keys that orgctl uses.',
    examples: [
      ['orgctl profile add', 'prompts for everything'],
      ['orgctl profile use prod', 'use prod from now on'],
    ],
    verbs: [add, set, list, show, use, rename, remove, env, path],
  })(parser, context);
  parser.hook('preAction', (_group, typed) => assertOneProfile(typed.args[0], context));
};

/** @throws UsageError if --profile names another profile than the argument */
function assertOneProfile(named: unknown, { flags }: Context): void {
  const { profile } = flags();
  if (profile === undefined || typeof named !== 'string' || named === profile) return;
  throw new UsageError(
    `two profiles are named: ${JSON.stringify(named)} and, with --profile, ${JSON.stringify(profile)}`,
    { hint: 'name one of them' },
  );
}

/**
 * The profile that a verb shows: its argument, or else --profile, ORGCTL_PROFILE or the current profile.
 * @throws ConfigError for an unknown name, and without any
 */
async function chooseProfile(named: string | undefined, { profiles, flags, system }: Context) {
  const given = named === undefined ? givenSetting(settings.profile, flags(), system.env) : undefined;
  const file = await profiles().read();
  const name = named ?? given?.value ?? file.current;
  if (name === undefined) {
    const hint = namesHint(file, '; choose one: orgctl profile use NAME');
    throw new ConfigError('no current profile', { hint });
  }
  return { file, name, profile: requireProfile(file, name, given && describeSource(given.source)) };
}

/** Says which variables go before the current profile, as other commands use it. */
async function noteOverrides(file: ProfileFile, { system, note }: Context): Promise<void> {
  const { ORGCTL_PROFILE: chosen, ORGCTL_KEY_ID: keyId } = system.env;
  const name = chosen || file.current;
  if (chosen && chosen !== file.current)
    await note(`ORGCTL_PROFILE is set: commands use profile ${JSON.stringify(chosen)}, not the current one`);
  const used = name === undefined ? undefined : findProfile(file, name);
  if (keyId && used !== undefined && keyId !== used.keyId)
    await note(`ORGCTL_KEY_ID is set: commands use that key ID, not that of profile ${JSON.stringify(name)}`);
}
