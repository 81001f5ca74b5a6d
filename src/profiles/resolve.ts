import type { OutputChoice } from '../api/option-values.js';
import { ConfigError } from '../errors/errors.js';
import { once } from '../platform/once.js';
import type { Credential } from '../signing/basic/basic.js';
import type { Profile, ProfileFile, SecretCommand } from './file/parse-profile-file.js';
import { requireProfile } from './file/store.js';
import type { SecretCommandOptions } from './secret-command/secret-command.js';
import { displayKeyId, requireSecret } from './settings/secret.js';
import {
  builtIn,
  describeSource,
  type Flags,
  givenSetting,
  resolveColor,
  type Setting,
  type Source,
  type Sourced,
  secretInEnvironment,
  settings,
  storedSetting,
  withoutVariables,
} from './settings/settings.js';

export interface ResolveOptions {
  readonly flags: Flags;
  readonly system: Pick<SecretCommandOptions, 'env' | 'stderr'>;
  readonly store: { read(): Promise<ProfileFile> };
  readonly signal?: AbortSignal | undefined;
}

export interface ActiveProfile {
  readonly name: string;
  readonly profile: Profile;
  readonly source: Source;
}

/** What a request needs; times in milliseconds. */
export type ServiceSettings = Awaited<ReturnType<ResolvedSettings['service']>>;

export type SecretOrigin = { readonly source: Source } & (
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'command'; readonly command: SecretCommand }
  | { readonly kind: 'keyring'; readonly profile: Profile }
);

/**
 * The settings of a command line, in order of precedence: flag, `--profile`, environment, other profile in use, default.
 * Opens nothing until a setting is read. @throws UsageError for a bad flag; ConfigError for a bad variable or profile
 */
export class ResolvedSettings {
  /** `undefined` if none is in use. @throws ConfigError for an unknown name */
  readonly profile = once(() => chooseProfile(this.#options));
  /** @throws ConfigError without a credential */
  readonly credential = once(async (): Promise<Credential> => {
    const origin = await this.secretOrigin();
    const { value: keyId } = (await this.keyId()) ?? (await this.#missing('key ID'));
    return { keyId, secret: await readSecret(origin ?? (await this.#missing('secret')), this.#options) };
  });
  readonly #options: ResolveOptions;

  constructor(options: ResolveOptions) {
    this.#options = options;
  }

  find<Value>(setting: Setting<Value> & { readonly fallback: Value }): Promise<Sourced<Value>>;
  find<Value>(setting: Setting<Value>): Promise<Sourced<Value> | undefined>;
  async find<Value>(setting: Setting<Value>): Promise<Sourced<Value> | undefined> {
    const { flags, system } = this.#options;
    const typed = givenSetting(setting, flags, flags.profile === undefined ? system.env : {});
    if (typed !== undefined) return typed;
    const active = await this.profile();
    const stored = active && storedSetting(setting, active.profile, active.name);
    const found = stored ?? (setting.isOfProfile ? undefined : givenSetting(setting, {}, system.env));
    if (found !== undefined || setting.fallback === undefined) return found;
    return { value: setting.fallback, source: builtIn };
  }

  baseUrl = () => this.find(settings.baseUrl);
  keyId = () => this.find(settings.keyId);
  auth = () => this.find(settings.auth);
  color = () => resolveColor(this.#options.flags, this.#options.system.env);

  /** The format chosen on the command line; `--query` implies json. */
  typedOutput(): Sourced<OutputChoice> | undefined {
    const { flags } = this.#options;
    const typed = givenSetting<OutputChoice>(settings.output, flags, {});
    if (typed !== undefined || flags.query === undefined) return typed;
    return { value: 'json', source: { kind: 'flag', name: '--query' } };
  }

  /** Ignores an unusable profile; the command reports it. */
  async output(): Promise<Sourced<OutputChoice>> {
    const typed = this.typedOutput();
    if (typed !== undefined) return typed;
    const { output } = settings;
    const given = () => givenSetting<OutputChoice>(output, {}, this.#options.system.env);
    const ignoring = () => given() ?? { value: output.fallback, source: builtIn };
    return this.profile().then(() => this.find(output), ignoring);
  }

  /**
   * Finds the secret in the environment or, with `--profile`, in the profile first. A profile's secret is only for its key
   * ID and origin, the environment's only for its key ID, if that is set. Runs no command. @throws ConfigError if none fits
   */
  async secretOrigin(): Promise<SecretOrigin | undefined> {
    const { flags, system } = this.#options;
    const used = flags.profile === undefined ? secretInEnvironment(system.env) : undefined;
    if (used !== undefined) return { kind: 'value', ...used };
    const active = await this.profile();
    if (active === undefined) return undefined;
    const { name, profile } = active;
    const [baseUrl, keyId] = [await this.baseUrl(), await this.keyId()];
    const own = storedSetting(settings.baseUrl, profile, name)?.value.origin;
    const isOwnPlace = flags.allowHost || (baseUrl?.value.origin ?? own) === own;
    const isOwn = isOwnPlace && (keyId?.value ?? profile.keyId) === profile.keyId;
    const stored = storedSecret(active);
    if (isOwn && stored !== undefined) return stored;
    const given = secretInEnvironment(system.env);
    const variable = system.env[settings.keyId.env];
    const isOther = variable && keyId?.source.kind === 'profile' && keyId.value !== variable;
    if (given === undefined ? isOwn : !isOther) return given && { kind: 'value', ...given };
    const owner = given === undefined ? `profile "${name}"` : describeSource(given.source);
    const from = (found: Sourced<unknown> | undefined) => found && ` (${describeSource(found.source)})`;
    const wanted = `${displayKeyId(keyId?.value ?? '')}${from(keyId)} at ${baseUrl?.value.origin}${from(baseUrl)}`;
    throw new ConfigError(`the secret of ${owner} is not for ${wanted}`, {
      hint: 'give address, key ID and secret from one source; --allow-host allows another address',
    });
  }

  /** The profile in use, if it stores base URL, key ID and secret: then rotation can store a new key. */
  async stored(): Promise<ActiveProfile | undefined> {
    const origin = await this.secretOrigin();
    const used = [await this.baseUrl(), await this.keyId(), origin?.kind === 'value' ? origin : undefined];
    return used.every((each) => each?.source.kind === 'profile') ? this.profile() : undefined;
  }

  async readOnly(): Promise<Sourced<boolean>> {
    const given = givenSetting(settings.readOnly, {}, this.#options.system.env);
    const active = given?.value ? undefined : await this.profile();
    if (active?.profile.readOnly === undefined) return given ?? { value: false, source: builtIn };
    return { value: active.profile.readOnly, source: { kind: 'profile', name: active.name } };
  }

  /** The profile's dialect, if the address is the profile's, too. */
  async dialect(): Promise<Sourced<unknown> | undefined> {
    const [active, baseUrl] = [await this.profile(), await this.baseUrl()];
    if (active?.profile.dialect === undefined || baseUrl?.source.kind !== 'profile') return undefined;
    return { value: active.profile.dialect, source: { kind: 'profile', name: active.name } };
  }

  /** @throws ConfigError without a base URL or a credential */
  async service() {
    return {
      baseUrl: ((await this.baseUrl()) ?? (await this.#missing('base URL'))).value,
      credential: await this.credential(),
      auth: (await this.auth()).value,
      caFile: (await this.find(settings.caFile))?.value,
      timeout: (await this.find(settings.timeout)).value,
      deadline: (await this.find(settings.deadline)).value,
      retries: (await this.find(settings.retries)).value,
      readOnly: (await this.readOnly()).value,
      dialect: await this.dialect(),
    };
  }

  async #missing(what: string): Promise<never> {
    const active = await this.profile();
    const looked = active === undefined ? 'no profile is in use' : `profile "${active.name}" has none`;
    throw new ConfigError(`no ${what} is given, and ${looked}`, {
      hint: 'add a profile: orgctl profile add; choose one with --profile NAME; or set ORGCTL_BASE_URL, ORGCTL_KEY_ID and ORGCTL_SECRET',
    });
  }
}

const { baseUrl, keyId, secret, secretFile } = settings;
const ofProfile = [baseUrl, keyId, secret, secretFile, settings.profile].map(({ env }) => env);

/** Settings as with `--profile`, but neither flags nor variables change address, key and secret. */
export function settingsOfProfile(
  name: string,
  profile: Profile,
  { system: { env, stderr }, signal }: Omit<ResolveOptions, 'flags' | 'store'>,
  given: Flags = {},
): ResolvedSettings {
  const store = { read: async () => ({ version: 1, current: name, profiles: { [name]: profile } }) as const };
  const system = { env: withoutVariables(env, ofProfile), stderr };
  const flags = { ...given, baseUrl: undefined, keyId: undefined, profile: name };
  return new ResolvedSettings({ flags, system, store, signal });
}

/** @throws ConfigError for an unknown name */
async function chooseProfile({ flags, store, system }: ResolveOptions): Promise<ActiveProfile | undefined> {
  const { env } = system;
  const named = givenSetting(settings.profile, flags, env);
  const isPlaceGiven = (flags.baseUrl ?? env[baseUrl.env]) && (flags.keyId ?? env[keyId.env]);
  if (named === undefined && isPlaceGiven && (env[secret.env] || env[secretFile.env])) return undefined;
  const file = await store.read();
  const name = named?.value ?? file.current;
  if (name === undefined) return undefined;
  const source = named?.source ?? ({ kind: 'default', name: 'current profile' } as const);
  return { name, profile: requireProfile(file, name, ` (${describeSource(source)})`), source };
}

function storedSecret({ name, profile }: ActiveProfile): SecretOrigin | undefined {
  const source: Source = { kind: 'profile', name };
  const { secret, secretCommand: command, keyring } = profile;
  if (keyring) return { kind: 'keyring', profile, source };
  if (command !== undefined) return { kind: 'command', command, source };
  return secret ? { kind: 'value', value: secret, source } : undefined;
}

async function readSecret(origin: SecretOrigin, { system, signal }: ResolveOptions): Promise<string> {
  const owner = describeSource(origin.source);
  const hint = 'store it again, without quotes or spaces around it: orgctl profile set NAME --ask-secret';
  const refuse = (what: string) => new ConfigError(`the secret of ${owner} ${what}`, { hint });
  if (origin.kind === 'value') return requireSecret(origin.value, refuse);
  if (origin.kind === 'command') {
    const { runSecretCommand } = await import('./secret-command/secret-command.js');
    return requireSecret(await runSecretCommand(origin.command, { ...system, owner, signal }), refuse);
  }
  const { keyringAccount, askKeyring } = await import('./keyring/keyring.js');
  const options = { name: origin.source.name, env: system.env, signal };
  return requireSecret(await askKeyring('read', keyringAccount(origin.profile), options), refuse);
}
