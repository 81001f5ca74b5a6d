import type { AuthMode, ColorMode, OutputFormat } from '../../api/option-values.js';
import type { Credential } from '../../signing/basic/basic.js';
import type { BaseUrl } from '../../text/base-url.js';
import type { ActiveProfile, SecretOrigin } from './credential.js';
import type { Sourced } from './source.js';

/** Everything that a call of the service needs, checked for conflicts. */
export interface ServiceSettings {
  readonly baseUrl: BaseUrl;
  readonly credential: Credential;
  readonly auth: AuthMode;
  readonly caFile: string | undefined;
  /** Milliseconds of one attempt. */
  readonly timeout: number;
  /** Milliseconds of all attempts and waits together. */
  readonly deadline: number;
  /** Further attempts after the first. */
  readonly retries: number;
  /** The profile allows no method but GET. */
  readonly readOnly: boolean;
  /** The dialect of the profile, where its address is used; not checked yet. */
  readonly dialect: unknown;
}

/**
 * The effective settings: flag > environment > profile > default, each with its source (contract, section 1). Each is
 * resolved on demand, and can throw UsageError for a bad flag, and ConfigError for a bad variable, a bad profile or an
 * unreadable file.
 */
export interface ResolvedSettings {
  /**
   * The profile in use; `undefined` when none is chosen. Without `--profile` and `ORGCTL_PROFILE`, none is used if
   * flags and environment give base URL, key ID and secret: the file is then not opened.
   *
   * @throws ConfigError listing the known names when the chosen one does not exist
   */
  profile(): Promise<ActiveProfile | undefined>;
  /** `--query` means json unless `--output` is given. Never fails for want of a profile. */
  output(): Promise<Sourced<OutputFormat>>;
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
  /** The dialect that the profile pins for its own address; `undefined` where none is. */
  dialect(): Promise<Sourced<unknown> | undefined>;
  /** Key ID and secret; needs no base URL. A secret command is run, and the keyring asked, once. @throws ConfigError when there is none */
  credential(): Promise<Credential>;
  /** @throws ConfigError when there is no base URL or no credential */
  service(): Promise<ServiceSettings>;
}
