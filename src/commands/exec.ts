import { systemStore } from '../api/option-values.js';
import { argument, command, option, verb } from '../cli/command.js';
import type { Context } from '../cli/context.js';
import { ConfigError, UsageError } from '../errors/errors.js';
import type { Profile } from '../profiles/file/parse-profile-file.js';
import { namesHint } from '../profiles/file/store.js';
import { type ActiveProfile, settingsOfProfile } from '../profiles/resolve.js';
import {
  ownSecrets,
  type Setting,
  settings,
  settingVariables,
  withoutVariables,
} from '../profiles/settings/settings.js';
import { quoteForShell } from '../text/shell-quote.js';
import { runChild } from './serve/child.js';

const replaced: readonly string[] = [...ownSecrets, ...settingVariables];

export const exec = command({
  description:
    'Run a command with the settings of the profile as environment variables, such as ORGCTL_BASE_URL, ORGCTL_KEY_ID and ORGCTL_SECRET, and exit with the exit code of the command. If the profile has a CA file, NODE_EXTRA_CA_CERTS names it, too. A read-only profile sets ORGCTL_READ_ONLY, which only orgctl obeys. A dialect has no variable, so it is not passed on.',
  args: [argument('<command...>', 'the command, with its arguments')],
  options: [option('-y, --yes', 'also pass on a secret that is in the keyring or comes from a command')],
  examples: [['orgctl exec -p staging -- npm test', 'your own client, with the key of staging']],
  // Options after the command's name belong to that command.
  parser: (parser) => void parser.usage('[options] -- <command...>').passThroughOptions(),
  async run(context, [[file = '', ...args]], { yes = false }) {
    const { name, profile } = await requireProfileInUse(context);
    const variables = await profileEnvironment(name, profile, yes, context);
    const { caFile } = profile;
    const child = {
      ...withoutVariables(context.system.env, replaced),
      ...(caFile !== undefined && caFile !== systemStore && { NODE_EXTRA_CA_CERTS: String(caFile) }),
      ...variables,
      ...((await context.settings().readOnly()).value && readOnlyVariable),
    };
    context.exitWith(await runChild([file, ...args], child, context));
  },
});

/** A verb of `profile`: sets variables in a shell, as `exec` does for one command. */
export const env = verb('env', {
  summary: 'print a profile as variables, with its secret',
  description:
    'Print shell commands that set the variables of a profile, by default the one in use, including its secret, and unset other variables of orgctl. A read-only profile sets ORGCTL_READ_ONLY, which only orgctl obeys. orgctl exec passes the variables to one command only.',
  args: [argument('[name]', 'a stored profile')],
  options: [
    option('-y, --yes', 'do not prompt; also print a secret that is in the keyring or comes from a command'),
  ],
  examples: [['eval "$(orgctl profile env staging)"', 'this shell uses it from now on']],
  asks: 'before it prints a secret on a terminal, unless --yes',
  async run(context, [named], { yes = false }) {
    const { name, profile } = await requireProfileInUse(context, named);
    const printer = await context.textPrinter();
    const isSeen = context.streams.stdout.isTerminal;
    if (isSeen && !yes) {
      const prompt = await context.prompt();
      const question = `Print the secret of profile ${JSON.stringify(name)}?`;
      await prompt.confirm(question, { hint: 'pass --yes', declined: 'nothing was done' });
    }
    const variables = await profileEnvironment(name, profile, yes || isSeen, context);
    const unset = settingVariables.filter((variable) => !(variable in variables));
    const lines = Object.entries(variables).map(([key, value]) => `export ${key}=${quoteForShell(value)}\n`);
    const text = [`unset ${unset.join(' ')}\n`, ...lines].join('');
    await printer.prose(variables, text);
  },
});

/** The named profile, or else the one in use. @throws ConfigError for an unknown name, or if none is in use */
export async function requireProfileInUse(
  context: Context,
  named?: string,
): Promise<Omit<ActiveProfile, 'source'>> {
  const store = context.profiles();
  if (named !== undefined) return { name: named, profile: await store.get(named) };
  const active = await context.settings().profile();
  if (active !== undefined) return active;
  throw new ConfigError('no profile is in use', { hint: namesHint(await store.read()) });
}

const readOnlyVariable = { [settings.readOnly.env]: '1' } as const;

/** @throws UsageError for a secret outside the profile file, unless `isSure` */
async function profileEnvironment(
  name: string,
  profile: Profile,
  isSure: boolean,
  context: Context,
): Promise<Record<string, string>> {
  const { keyring, secretCommand, readOnly } = profile;
  if ((keyring || secretCommand !== undefined) && !isSure) {
    const place = keyring ? 'in the keyring' : 'printed by a command';
    const what = `the secret of profile ${JSON.stringify(name)} is ${place}`;
    throw new UsageError(`${what}, and would become visible in an environment`, { hint: 'pass --yes' });
  }
  const { secret } = await settingsOfProfile(name, profile, context).credential();
  const stored = Object.values<Setting<unknown>>(settings).flatMap(({ env, flag }) => {
    const value = flag && profile[flag.key];
    return env === undefined || value === undefined ? [] : [[env, String(value)] as const];
  });
  const own = { [settings.secret.env]: secret, ...(readOnly && readOnlyVariable) };
  return { ...Object.fromEntries(stored), ...own };
}
