import type { AuthMode, ColorMode, OutputChoice } from '../../api/option-values.js';
import type { Credential } from '../../signing/basic/basic.js';
import type { BaseUrl } from '../../text/base-url.js';
import type { ActiveProfile, SecretOrigin } from './credential.js';
import type { Sourced } from './settings.js';

/** What a call of the service needs, checked for conflicts. */
export interface ServiceSettings {
  readonly baseUrl: BaseUrl;
  readonly credential: Credential;
  readonly auth: AuthMode;
  readonly caFile: string | undefined;
  /** Milliseconds of one attempt. */
  readonly timeout: number;
  /** Milliseconds of all attempts and waits together. */
  readonly deadline: number;
  readonly retries: number;
  /** The profile allows no method but GET. */
  readonly readOnly: boolean;
  /** The dialect of the profile, where its address is used; not checked yet. */
  readonly dialect: unknown;
}

/**
 * The effective settings: flag > environment > profile > default, each with its source, resolved on demand. They throw
 * UsageError for a bad flag, ConfigError for a bad variable or profile or an unreadable file.
 */
export interface ResolvedSettings {
  /**
   * `undefined` when none is chosen. Without `--profile` and `ORGCTL_PROFILE`, none is used if flags and environment
   * give base URL, key ID and secret: the file is then not opened.
   * @throws ConfigError listing the known names when it does not exist
   */
  profile(): Promise<ActiveProfile | undefined>;
  /** `--query` means json unless `--output` is given. Never fails for want of a profile. */
  output(): Promise<Sourced<OutputChoice>>;
  color(): Sourced<ColorMode>;
  baseUrl(): Promise<Sourced<BaseUrl> | undefined>;
  keyId(): Promise<Sourced<string> | undefined>;
  /** Where the secret comes from; runs no command and opens no keyring. */
  secretOrigin(): Promise<SecretOrigin | undefined>;
  auth(): Promise<Sourced<AuthMode>>;
  caFile(): Promise<Sourced<string> | undefined>;
  timeout(): Promise<Sourced<number>>;
  deadline(): Promise<Sourced<number>>;
  retries(): Promise<Sourced<number>>;
  readOnly(): Promise<Sourced<boolean>>;
  /** The dialect that the profile pins for its own address. */
  dialect(): Promise<Sourced<unknown> | undefined>;
  /** Needs no base URL; runs a secret command or asks the keyring once. @throws ConfigError when there is none */
  credential(): Promise<Credential>;
  /** @throws ConfigError when there is no base URL or no credential */
  service(): Promise<ServiceSettings>;
}
