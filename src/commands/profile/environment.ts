import type { Context } from '../../cli/context.js';
import { ConfigError, UsageError } from '../../errors/errors.js';
import type { Profile } from '../../profiles/file/parse-profile-file.js';
import { namesHint } from '../../profiles/file/store.js';
import { type ActiveProfile, settingsOfProfile } from '../../profiles/resolve.js';
import { type Setting, settings, settingVariables } from '../../profiles/settings/settings.js';
import { quoteForShell } from '../../text/shell-quote.js';

/** The named profile, or else the one in use. @throws ConfigError for an unknown name, and without any */
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

export const readOnlyVariable = { [settings.readOnly.env]: '1' } as const;

/** @throws UsageError for a secret outside the profile file, unless `isSure` */
export async function profileEnvironment(
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

export async function printEnvironment(name: string, profile: Profile, yes: boolean, context: Context) {
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
}
