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

/** What the rules of credentials look at; each as far as it is known. */
export interface CredentialParts {
  readonly baseUrl: Sourced<BaseUrl> | undefined;
  readonly keyId: Sourced<string> | undefined;
  /** The secret from the environment. */
  readonly secret: Sourced<string> | undefined;
  readonly active: ActiveProfile | undefined;
  /** `--allow-host`: the stored secret may be used elsewhere too. */
  readonly allowHost: boolean;
}

/**
 * Where the secret comes from (contract, section 1, "Precedence"). The environment's is used as it is. A stored one is
 * used only with the key ID and the origin of its own profile; `undefined` when there is none at all.
 *
 * @throws ConfigError naming both sources where they conflict
 */
export function secretOrigin(parts: CredentialParts): SecretOrigin | undefined {
  if (parts.secret !== undefined) return { kind: 'value', secret: parts.secret };
  if (parts.active === undefined) return undefined;
  assertSameKey(parts.keyId, parts.active);
  if (!parts.allowHost) assertSameOrigin(parts.baseUrl, parts.active);
  return storedSecret(parts.active);
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
  throw new ConfigError(
    `the key ID from ${given} (${displayKeyId(keyId.value)}) is not that of profile "${name}" ` +
      `(${displayKeyId(profile.keyId)}), whose secret is therefore not used`,
    { hint: `set ORGCTL_SECRET to the secret of that key, or leave ${given} out` },
  );
}

function assertSameOrigin(baseUrl: Sourced<BaseUrl> | undefined, { name, profile }: ActiveProfile): void {
  if (baseUrl === undefined || baseUrl.source.kind === 'profile') return;
  const own = storedSetting(settings.baseUrl, profile, name)?.value.origin;
  if (own === baseUrl.value.origin) return;
  throw new ConfigError(
    `the secret of profile "${name}" is for ${own} and is not used with ` +
      `${baseUrl.value.origin} from ${describeSource(baseUrl.source)}`,
    { hint: 'set ORGCTL_SECRET to the secret for that service, or pass --allow-host to use this one there' },
  );
}
