import type { Writable } from 'node:stream';
import { type AuthMode, type ColorMode, defaultPatience, type OutputChoice } from '../api/option-values.js';
import { ConfigError, OrgctlError } from '../errors/errors.js';
import { whyMissing, whyNoHome } from '../platform/home-directory.js';
import type { Credential } from '../signing/basic/basic.js';
import type { BaseUrl } from '../text/base-url.js';
import { findProfile, namesHint, unknownProfile } from './file/profile-file.js';
import type { ProfileStore } from './file/store.js';
import { type ActiveProfile, type SecretOrigin, secretOrigin } from './settings/credential.js';
import type { ResolvedSettings, ServiceSettings } from './settings/resolved-settings.js';
import { isSecretInEnvironment, secretFileVariable, secretInEnvironment } from './settings/secret-file.js';
import {
  builtIn,
  describeSource,
  type Flags,
  givenSetting,
  isGiven,
  resolveColor,
  type Setting,
  type SettingsEnvironment,
  type Sourced,
  settings,
  storedSetting,
} from './settings/settings.js';

export type { ResolvedSettings };

export interface ResolveOptions {
  readonly flags: Flags;
  readonly env: SettingsEnvironment;
  readonly platform: NodeJS.Platform;
  /** Not read if flags and environment give base URL, key ID and secret, and name no profile. */
  readonly store: Pick<ProfileStore, 'read' | 'path'>;
  readonly stderr: Writable;
  /** Ends a secret command, and the wait for the keyring. */
  readonly signal?: AbortSignal | undefined;
  readonly secretCommandTimeout?: number | undefined;
  readonly onPassedOver?: ((variable: string, profile: string) => void) | undefined;
}

/** Lazy: checks and opens nothing until a setting is read. */
export function resolve(options: ResolveOptions): ResolvedSettings {
  return new Resolver(options);
}

class Resolver implements ResolvedSettings {
  readonly #options: ResolveOptions;
  #profile: Promise<ActiveProfile | undefined> | undefined;
  #credential: Promise<Credential> | undefined;
  #secret: { readonly given: Sourced<string> | undefined } | undefined;
  readonly #passedOver = new Set<string>();

  constructor(options: ResolveOptions) {
    this.#options = options;
  }

  profile(): Promise<ActiveProfile | undefined> {
    this.#profile ??= this.#chooseProfile();
    return this.#profile;
  }

  typedOutput(): Sourced<OutputChoice> | undefined {
    const { flags } = this.#options;
    if (flags.output === undefined && flags.query !== undefined) {
      return { value: 'json', source: { kind: 'flag', name: '--query' } };
    }
    return givenSetting(settings.output, flags, {});
  }

  async output(): Promise<Sourced<OutputChoice>> {
    const fallback = { value: 'table', source: builtIn } as const;
    const typed = this.typedOutput();
    if (typed !== undefined) return typed;
    const named = this.#isNamed() ? await this.#outputOfProfile() : undefined;
    if (named !== undefined) return named;
    return this.#given(settings.output) ?? (await this.#outputOfProfile()) ?? fallback;
  }

  color(): Sourced<ColorMode> {
    return resolveColor(this.#options.flags, this.#options.env);
  }

  baseUrl(): Promise<Sourced<BaseUrl> | undefined> {
    return this.#find(settings.baseUrl);
  }

  keyId(): Promise<Sourced<string> | undefined> {
    return this.#find(settings.keyId);
  }

  async secretOrigin(): Promise<SecretOrigin | undefined> {
    const given = this.#isNamed() ? undefined : this.#givenSecret();
    if (given !== undefined) return { kind: 'value', secret: given };
    const active = await this.profile();
    if (active === undefined) return undefined;
    const origin = secretOrigin(active, () => this.#givenSecret(), {
      baseUrl: await this.baseUrl(),
      keyId: await this.keyId(),
      keyIdOfVariable: this.#options.env[settings.keyId.env] || undefined,
      allowHost: this.#options.flags.allowHost ?? false,
    });
    if (origin?.kind !== 'value' || origin.secret.source.kind !== 'env') this.#passOverSecret(active.name);
    return origin;
  }

  async auth(): Promise<Sourced<AuthMode>> {
    const fallback: Sourced<AuthMode> = { value: 'hmac', source: builtIn };
    const isTyped = givenSetting(settings.auth, this.#options.flags, {}) !== undefined;
    const named = this.#isNamed() && !isTyped ? await this.profile() : undefined;
    if (named === undefined || named.profile.auth !== undefined)
      return (await this.#find(settings.auth)) ?? fallback;
    // A profile without a mode means HMAC.
    this.#passOver(settings.auth, named.name);
    return fallback;
  }

  caFile(): Promise<Sourced<string> | undefined> {
    return this.#find(settings.caFile);
  }

  async timeout(): Promise<Sourced<number>> {
    return (await this.#find(settings.timeout)) ?? { value: defaultPatience.timeout, source: builtIn };
  }

  async deadline(): Promise<Sourced<number>> {
    return (await this.#find(settings.deadline)) ?? { value: defaultPatience.deadline, source: builtIn };
  }

  async retries(): Promise<Sourced<number>> {
    return (await this.#find(settings.retries)) ?? { value: defaultPatience.retries, source: builtIn };
  }

  async readOnly(): Promise<Sourced<boolean>> {
    const given = this.#given(settings.readOnly);
    if (given?.value) return given;
    const active = await this.profile();
    if (active?.profile.readOnly === undefined) return { value: false, source: builtIn };
    return { value: active.profile.readOnly, source: { kind: 'profile', name: active.name } };
  }

  async dialect(): Promise<Sourced<unknown> | undefined> {
    const [active, baseUrl] = [await this.profile(), await this.baseUrl()];
    if (active?.profile.dialect === undefined || baseUrl?.source.kind !== 'profile') return undefined;
    return { value: active.profile.dialect, source: { kind: 'profile', name: active.name } };
  }

  credential(): Promise<Credential> {
    this.#credential ??= this.#findCredential();
    return this.#credential;
  }

  async service(): Promise<ServiceSettings> {
    const baseUrl = await this.baseUrl();
    if (baseUrl === undefined) throw await this.#missing('base URL');
    return {
      baseUrl: baseUrl.value,
      credential: await this.credential(),
      auth: (await this.auth()).value,
      caFile: (await this.caFile())?.value,
      timeout: (await this.timeout()).value,
      deadline: (await this.deadline()).value,
      retries: (await this.retries()).value,
      readOnly: (await this.readOnly()).value,
      dialect: await this.dialect(),
    };
  }

  #given<Value>(setting: Setting<Value>): Sourced<Value> | undefined {
    return givenSetting(setting, this.#options.flags, this.#options.env);
  }

  // Settings of a profile that --profile names take precedence over the environment.
  async #find<Value>(setting: Setting<Value>): Promise<Sourced<Value> | undefined> {
    const typed = givenSetting(setting, this.#options.flags, {});
    if (typed !== undefined) return typed;
    return (await this.#ofNamedProfile(setting)) ?? this.#given(setting) ?? (await this.#ofProfile(setting));
  }

  async #ofNamedProfile<Value>(setting: Setting<Value>): Promise<Sourced<Value> | undefined> {
    const stored = this.#isNamed() ? await this.#ofProfile(setting) : undefined;
    if (stored !== undefined) this.#passOver(setting, stored.source.name);
    return stored;
  }

  async #ofProfile<Value>(setting: Setting<Value>): Promise<Sourced<Value> | undefined> {
    const active = await this.profile();
    return active && storedSetting(setting, active.profile, active.name);
  }

  #isNamed(): boolean {
    return this.#options.flags.profile !== undefined;
  }

  #givenSecret(): Sourced<string> | undefined {
    const { env, platform } = this.#options;
    this.#secret ??= { given: secretInEnvironment(env, platform) };
    return this.#secret.given;
  }

  #passOverSecret(profile: string): void {
    this.#passOver(settings.secret, profile);
    this.#passOver({ env: secretFileVariable }, profile);
  }

  #passOver({ env: variable }: Pick<Setting<unknown>, 'env'>, profile: string): void {
    if (variable === undefined || !this.#options.env[variable] || this.#passedOver.has(variable)) return;
    this.#passedOver.add(variable);
    this.#options.onPassedOver?.(variable, profile);
  }

  async #chooseProfile(): Promise<ActiveProfile | undefined> {
    const { store } = this.#options;
    const named = this.#given(settings.profile);
    if (named === undefined && this.#standsAlone()) return undefined;
    const file = await store.read();
    const name = named?.value ?? file.current;
    if (name === undefined) return undefined;
    const source = named?.source ?? { kind: 'default', name: 'current profile' };
    const profile = findProfile(file, name);
    if (profile === undefined) throw unknownProfile(file, name, describeSource(source));
    return { name, profile, source };
  }

  #standsAlone(): boolean {
    const { flags, env } = this.#options;
    const isPlaceGiven = [settings.baseUrl, settings.keyId].every((setting: Setting<unknown>) =>
      isGiven(setting, flags, env),
    );
    return isPlaceGiven && isSecretInEnvironment(env);
  }

  // An unusable profile does not affect the output format; the command reports the problem.
  async #outputOfProfile(): Promise<Sourced<OutputChoice> | undefined> {
    const active = await this.profile().catch((error: unknown) => {
      if (error instanceof OrgctlError) return undefined;
      throw error;
    });
    if (active === undefined) return undefined;
    const stored = storedSetting(settings.output, active.profile, active.name);
    if (stored !== undefined) this.#passOver(settings.output, active.name);
    return stored;
  }

  async #findCredential(): Promise<Credential> {
    const origin = await this.secretOrigin();
    const keyId = await this.keyId();
    if (keyId === undefined) throw await this.#missing('key ID');
    if (origin === undefined) throw await this.#missing('secret');
    return { keyId: keyId.value, secret: await this.#secretFrom(origin) };
  }

  async #secretFrom(origin: SecretOrigin): Promise<string> {
    if (origin.kind === 'value') return origin.secret.value;
    const { env, platform, stderr, signal, secretCommandTimeout: timeout } = this.#options;
    const owner = describeSource(origin.source);
    if (origin.kind === 'keyring') {
      const { keyringEntry, readKeyring } = await import('./keyring/keyring.js');
      return await readKeyring(keyringEntry(origin.profile), {
        owner,
        profile: origin.source.name,
        env,
        signal,
      });
    }
    const { runSecretCommand } = await import('./secret-command/secret-command.js');
    return await runSecretCommand(origin.command, { owner, env, platform, stderr, signal, timeout });
  }

  async #missing(what: 'base URL' | 'key ID' | 'secret'): Promise<ConfigError> {
    const active = await this.profile();
    const variables = 'ORGCTL_BASE_URL, ORGCTL_KEY_ID and ORGCTL_SECRET';
    if (active !== undefined) {
      return new ConfigError(`profile "${active.name}" has no ${what}`, { hint: `set ${variables}` });
    }
    const { store } = this.#options;
    const missing = whyMissing(store.path());
    if (whyNoHome(store.path()) !== undefined) {
      return new ConfigError(`no ${what} is given, and ${missing}`, {
        hint: `set HOME or ORGCTL_CONFIG_DIR to a directory of your own; or set ${variables}`,
      });
    }
    const why = missing === undefined ? '' : `: ${missing}`;
    return new ConfigError(`no ${what} is given, and no profile is in use${why}`, {
      hint: `${namesHint(await store.read())}; or set ${variables}`,
    });
  }
}
