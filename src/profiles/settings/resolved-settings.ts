import type { AuthMode, ColorMode, OutputChoice } from '../../api/option-values.js';
import type { Credential } from '../../signing/basic/basic.js';
import type { BaseUrl } from '../../text/base-url.js';
import type { ActiveProfile, SecretOrigin } from './credential.js';
import type { Sourced } from './settings.js';

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
  readonly readOnly: boolean;
  readonly dialect: Sourced<unknown> | undefined;
}

/** Usual precedence: flag, profile of `--profile`, environment, any other profile in use, default. */
export interface ResolvedSettings {
  /** `undefined` if none is in use. @throws ConfigError for an unknown name */
  profile(): Promise<ActiveProfile | undefined>;
  /** Ignores an unusable profile. */
  output(): Promise<Sourced<OutputChoice>>;
  /** The format chosen on the command line, for text for a shell or a file. `--query` without `--output` implies json. */
  typedOutput(): Sourced<OutputChoice> | undefined;
  color(): Sourced<ColorMode>;
  baseUrl(): Promise<Sourced<BaseUrl> | undefined>;
  keyId(): Promise<Sourced<string> | undefined>;
  /** Runs no command and opens no keyring. */
  secretOrigin(): Promise<SecretOrigin | undefined>;
  auth(): Promise<Sourced<AuthMode>>;
  caFile(): Promise<Sourced<string> | undefined>;
  timeout(): Promise<Sourced<number>>;
  deadline(): Promise<Sourced<number>>;
  retries(): Promise<Sourced<number>>;
  /** The variable or the profile suffices. */
  readOnly(): Promise<Sourced<boolean>>;
  dialect(): Promise<Sourced<unknown> | undefined>;
  /** Runs a secret command, or opens the keyring, at most once. @throws ConfigError without a credential */
  credential(): Promise<Credential>;
  /** @throws ConfigError without a base URL or a credential */
  service(): Promise<ServiceSettings>;
}
