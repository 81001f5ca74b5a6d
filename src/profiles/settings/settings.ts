import {
  type AuthMode,
  authModes,
  type ColorMode,
  colorModes,
  defaultPatience,
  type OutputChoice,
  outputChoices,
} from '../../api/option-values.js';
import { ConfigError, describeFileError, UsageError } from '../../errors/errors.js';
import { readRegularFile } from '../../platform/regular-file.js';
import { type BaseUrl, parseBaseUrl } from '../../text/base-url.js';
import { explainDuration, formatDuration, parseDuration } from '../../text/duration.js';
import { type Profile, storedKeys } from '../file/parse-profile-file.js';
import { parseProfileName, requireTrusted } from '../file/store.js';
import { checkDecodedSecret, decodeSecret, displayKeyId, parseKeyId, requireSecret } from './secret.js';

export interface Source {
  readonly kind: 'flag' | 'env' | 'profile' | 'default';
  /** `--timeout`, `ORGCTL_TIMEOUT`, or the profile's name. */
  readonly name: string;
}

export interface Sourced<Value> {
  readonly value: Value;
  readonly source: Source;
}

export const builtIn: Source = { kind: 'default', name: 'default' };

export function describeSource(source: Source): string {
  return source.kind === 'profile' ? `profile "${source.name}"` : source.name;
}

export const textFlags = ['profile', 'query', 'columns', 'color', 'output', ...storedKeys] as const;
export const switchFlags = ['raw', 'allowHost', 'quiet', 'verbose'] as const;
type TextFlag = (typeof textFlags)[number];

/** Global options as typed. */
export type Flags = { readonly [Key in TextFlag]?: string | undefined } & {
  readonly [Key in (typeof switchFlags)[number] | 'headers']?: boolean | undefined;
};

export type SettingsEnvironment = Readonly<Record<string, string | undefined>>;

export interface Setting<Value> {
  readonly flag?: { readonly key: TextFlag; readonly option: `--${string}` };
  readonly env?: `ORGCTL_${string}`;
  readonly fallback?: Value;
  /** With `--profile`, the variable is ignored even if the profile lacks the setting. */
  readonly isOfProfile?: boolean;
  /** @throws UsageError that does not name the source, which `parseFrom` adds */
  readonly parse: (text: string) => Value;
  /** Formats a value as users would write it. */
  show?(value: Value): string;
}

/** A setting such as `baseUrl`, with `--base-url` and `ORGCTL_BASE_URL`. */
function stored<Value>(key: (typeof storedKeys)[number] | 'output', parse: (text: string) => Value) {
  const option = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const env = option.replaceAll('-', '_').toUpperCase();
  return { flag: { key, option: `--${option}` }, env: `ORGCTL_${env}`, parse } as const;
}

const { timeout, deadline, retries } = defaultPatience;
const parseCount = requireForm(/^(\d|[1-9]\d|100)$/, 'a whole number from 0 to 100');
const parseSwitch = requireForm(/^(0|1|true|false)$/, '1 or 0');
const parseAuth = parseChoice<AuthMode>(authModes);
const parseRetries = (text: string) => Number(parseCount(text));

export const settings = {
  profile: { flag: { key: 'profile', option: '--profile' }, env: 'ORGCTL_PROFILE', parse: parseProfileName },
  baseUrl: { ...stored('baseUrl', parseBaseUrl), show: ({ href }: BaseUrl) => href },
  keyId: { ...stored('keyId', parseKeyId), show: displayKeyId },
  secret: { env: 'ORGCTL_SECRET', parse: parseSecret },
  secretFile: { env: 'ORGCTL_SECRET_FILE', parse: readSecretFile },
  auth: { ...stored('auth', parseAuth), fallback: 'hmac', isOfProfile: true },
  caFile: stored('caFile', requireForm(/^[^\0]+$/, 'the path of a file')),
  output: { ...stored('output', parseChoice<OutputChoice>(outputChoices)), fallback: 'table' },
  timeout: { ...stored('timeout', parseTimeLimit), fallback: timeout, show: formatDuration },
  deadline: { ...stored('deadline', parseTimeLimit), fallback: deadline, show: formatDuration },
  retries: { ...stored('retries', parseRetries), fallback: retries },
  /** Only restricts: it cannot lift the guard of a read-only profile. */
  readOnly: { env: 'ORGCTL_READ_ONLY', parse: (text) => /^(1|true)$/.test(parseSwitch(text)) },
  color: { flag: { key: 'color', option: '--color' }, parse: parseChoice<ColorMode>(colorModes) },
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

export const settingVariables = Object.values<Setting<unknown>>(settings).flatMap(({ env }) => env ?? []);

/** Variables with secrets of `serve`; the database's URL may have a password. */
export const serverSecrets = ['MASTER_KEY', 'NEW_MASTER_KEY', 'SECRET', 'DATABASE'].map(
  (name) => `ORGCTL_SERVE_${name}`,
);

export const ownSecrets = ['ORGCTL_SECRET', 'ORGCTL_CONTROL_TOKEN', ...serverSecrets];

/** @param names in upper case; the case in `env` does not matter, as on Windows */
export function withoutVariables(env: SettingsEnvironment, names: readonly string[]): SettingsEnvironment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name.toUpperCase())));
}

/** An empty variable counts as unset. @throws UsageError for a bad flag, ConfigError for a bad variable */
export function givenSetting<Value>(
  setting: Setting<Value>,
  flags: Flags,
  env: SettingsEnvironment,
): Sourced<Value> | undefined {
  const { flag, env: variable } = setting;
  const typed = flag && flags[flag.key];
  if (flag && typed !== undefined) return parseFrom(setting, typed, { kind: 'flag', name: flag.option });
  const text = variable && env[variable];
  return variable && text ? parseFrom(setting, text, { kind: 'env', name: variable }) : undefined;
}

export function storedSetting<Value>(
  setting: Setting<Value>,
  profile: Profile,
  name: string,
): Sourced<Value> | undefined {
  const text = setting.flag && profile[setting.flag.key];
  return text === undefined ? undefined : parseFrom(setting, String(text), { kind: 'profile', name });
}

// A bad flag was typed just now: UsageError. A bad variable or profile was set up before: ConfigError.
function parseFrom<Value>(setting: Setting<Value>, text: string, source: Source): Sourced<Value> {
  try {
    return { value: setting.parse(text), source };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const message = `${describeSource(source)}: ${error.message}`;
    if (source.kind === 'flag') throw new UsageError(message);
    if (source.kind === 'env') throw new ConfigError(message, { hint: `correct or unset ${source.name}` });
    const hint = `give ${setting.flag?.option}, or correct the file that orgctl profile path prints`;
    throw new ConfigError(`${setting.flag?.key} of ${message}`, { hint });
  }
}

function parseChoice<Choice extends string>(choices: readonly Choice[]): (text: string) => Choice {
  return (text) => {
    const chosen = choices.find((choice) => choice === text);
    if (chosen !== undefined) return chosen;
    throw new UsageError(`${JSON.stringify(text)} is not one of ${choices.join(', ')}`);
  };
}

function parseTimeLimit(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds) return milliseconds;
  throw new UsageError(explainDuration(text));
}

function requireForm(form: RegExp, accepted: string): (text: string) => string {
  return (text) => {
    if (form.test(text)) return text;
    throw new UsageError(`${JSON.stringify(text)} is not ${accepted}`);
  };
}

const refuseSecret = (what: string, cause?: unknown) => new UsageError(`the secret ${what}`, { cause });

function parseSecret(text: string): string {
  return requireSecret(checkDecodedSecret(text, refuseSecret), refuseSecret);
}

function readSecretFile(path: string): string {
  try {
    const bytes = readRegularFile(path, 64 * 1024, (found) => requireTrusted(path, found));
    return requireSecret(decodeSecret(bytes, refuseSecret), refuseSecret);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new UsageError(`${path}: ${describeFileError(error)}`, { cause: error });
  }
}

export function secretInEnvironment(env: SettingsEnvironment): Sourced<string> | undefined {
  const { secret, secretFile } = settings;
  if (env[secret.env] && env[secretFile.env])
    throw new ConfigError(`${secret.env} and ${secretFile.env} are both set`, {
      hint: `unset one of them: unset ${secret.env}`,
    });
  return givenSetting(secretFile, {}, env) ?? givenSetting(secret, {}, env);
}

/** `--color`, else `FORCE_COLOR`, else `NO_COLOR` (no-color.org): the order of Node.js. @throws UsageError */
export function resolveColor(flags: Flags, env: SettingsEnvironment): Sourced<ColorMode> {
  const typed = givenSetting(settings.color, flags, env);
  if (typed !== undefined) return typed;
  const name = env['FORCE_COLOR'] ? 'FORCE_COLOR' : 'NO_COLOR';
  if (!env[name]) return { value: 'auto', source: builtIn };
  const isForced = name === 'FORCE_COLOR' && !/^(0|false)$/.test(env[name]);
  return { value: isForced ? 'always' : 'never', source: { kind: 'env', name } };
}
