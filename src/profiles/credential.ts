import type { BaseUrl } from '../contract/base-url.js';
import { ConfigError } from '../errors.js';
import type { Profile, SecretCommand } from './profile-file.js';
import { displayKeyId } from './secret.js';
import { settings, storedSetting } from './settings.js';
import { describeSource, type Source, type Sourced } from './source.js';

/** The profile in use and what chose it. */
export interface ActiveProfile {
  readonly name: string;
  readonly profile: Profile;
  /** A flag, a variable, or the file's current profile. */
  readonly source: Source;
}

/** A secret that is at hand, or the command that prints it. */
export type SecretOrigin =
  | { readonly kind: 'value'; readonly secret: Sourced<string> }
  | { readonly kind: 'command'; readonly command: SecretCommand; readonly source: Source };

/** How a stored secret is to be used; each as far as it is known. */
export interface IntendedUse {
  readonly baseUrl: Sourced<BaseUrl> | undefined;
  readonly keyId: Sourced<string> | undefined;
  /** `--allow-host`: the stored secret may be used elsewhere too. */
  readonly allowHost: boolean;
}

/** Settings that are good by themselves but not together. */
export class CredentialConflictError extends ConfigError {}

/**
 * The secret of a profile, which is used only with the key ID and the origin of that profile (contract, section 1,
 * "Precedence"); `undefined` when it has none.
 *
 * @throws CredentialConflictError naming both sources where they conflict; ConfigError when it has two
 */
export function storedSecretOrigin(active: ActiveProfile, use: IntendedUse): SecretOrigin | undefined {
  assertSameKey(use.keyId, active);
  if (!use.allowHost) assertSameOrigin(use.baseUrl, active);
  return storedSecret(active);
}

function storedSecret({ name, profile }: ActiveProfile): SecretOrigin | undefined {
  const source: Source = { kind: 'profile', name };
  const { secret, secretCommand } = profile;
  if (secret !== undefined && secretCommand !== undefined) {
    throw new ConfigError(`profile "${name}" has both a secret and a secret command`, {
      hint: 'remove one of them from the file that orgctl profile path names',
    });
  }
  if (secretCommand !== undefined) return { kind: 'command', command: secretCommand, source };
  return secret ? { kind: 'value', secret: { value: secret, source } } : undefined;
}

function assertSameKey(keyId: Sourced<string> | undefined, { name, profile }: ActiveProfile): void {
  if (keyId === undefined || keyId.value === profile.keyId) return;
  const given = describeSource(keyId.source);
  throw new CredentialConflictError(
    `the key ID from ${given} (${displayKeyId(keyId.value)}) is not that of profile "${name}" ` +
      `(${displayKeyId(profile.keyId)}), whose secret is therefore not used`,
    { hint: `set ORGCTL_SECRET to the secret of that key, or leave ${given} out` },
  );
}

function assertSameOrigin(baseUrl: Sourced<BaseUrl> | undefined, { name, profile }: ActiveProfile): void {
  if (baseUrl === undefined || baseUrl.source.kind === 'profile') return;
  const own = storedSetting(settings.baseUrl, profile, name)?.value.origin;
  if (own === baseUrl.value.origin) return;
  throw new CredentialConflictError(
    `the secret of profile "${name}" is for ${own} and is not used with ` +
      `${baseUrl.value.origin} from ${describeSource(baseUrl.source)}`,
    { hint: 'set ORGCTL_SECRET to the secret for that service, or pass --allow-host to use this one there' },
  );
}
