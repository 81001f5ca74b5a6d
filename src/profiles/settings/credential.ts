import { ConfigError } from '../../errors/errors.js';
import type { BaseUrl } from '../../text/base-url.js';
import type { Profile, SecretCommand } from '../file/parse-profile-file.js';
import { displayKeyId } from './secret.js';
import { describeSource, type Source, type Sourced, settings, storedSetting } from './settings.js';

export interface StoredProfile {
  readonly name: string;
  readonly profile: Profile;
}

export interface ActiveProfile extends StoredProfile {
  readonly source: Source;
}

/** The secret itself, a command that prints it, or the profile whose secret is in the keyring. */
export type SecretOrigin = { readonly source: Source } & (
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'command'; readonly command: SecretCommand }
  | { readonly kind: 'keyring'; readonly profile: Profile }
);

interface IntendedUse {
  readonly baseUrl: Sourced<BaseUrl> | undefined;
  readonly keyId: Sourced<string> | undefined;
  readonly keyIdOfVariable: string | undefined;
  /** `--allow-host`: the stored secret may be used for another origin. */
  readonly allowHost: boolean;
}

export class CredentialConflictError extends ConfigError {}

/**
 * The profile's secret if it is for this key ID and origin; otherwise the secret from the environment.
 * @throws CredentialConflictError naming both sources; ConfigError if the profile has more than one secret
 */
export function secretOrigin(
  active: ActiveProfile,
  readGiven: () => Sourced<string> | undefined,
  use: IntendedUse,
): SecretOrigin | undefined {
  const stored = storedSecret(active);
  const conflict = whyNotStored(active, use);
  if (stored !== undefined && conflict === undefined) return stored;
  const given = readGiven();
  const problem = given === undefined ? conflict : whyNotGiven(given, active, use);
  if (problem !== undefined)
    throw new CredentialConflictError(problem, {
      hint: 'give address, key ID and secret from one source, such as ORGCTL_BASE_URL, ORGCTL_KEY_ID and ORGCTL_SECRET, or none of them',
    });
  return given && { kind: 'value', ...given };
}

function storedSecret({ name, profile }: ActiveProfile): SecretOrigin | undefined {
  const source: Source = { kind: 'profile', name };
  const { secret, secretCommand: command, keyring } = profile;
  if ([secret, command, keyring || undefined].filter((each) => each !== undefined).length > 1)
    throw new ConfigError(`profile "${name}" has more than one of secret, secretCommand and keyring`, {
      hint: 'remove all but one from this file',
      next: ['orgctl', 'profile', 'path'],
    });
  if (keyring) return { kind: 'keyring', profile, source };
  if (command !== undefined) return { kind: 'command', command, source };
  return secret ? { kind: 'value', value: secret, source } : undefined;
}

/** A profile's secret is for its key ID, and for the origin of its address. */
function whyNotStored({ name, profile }: ActiveProfile, { keyId, baseUrl, allowHost }: IntendedUse) {
  if (keyId !== undefined && keyId.value !== profile.keyId)
    return `the key ID from ${describeSource(keyId.source)} (${displayKeyId(keyId.value)}) differs from that of profile "${name}" (${displayKeyId(profile.keyId)}), so the profile's secret is not used`;
  if (baseUrl === undefined || allowHost) return undefined;
  const own = storedSetting(settings.baseUrl, profile, name)?.value.origin;
  if (own === baseUrl.value.origin) return undefined;
  return `the secret of profile "${name}" is for ${own} and is not used with ${baseUrl.value.origin} from ${describeSource(baseUrl.source)}; --allow-host allows it`;
}

/** A secret from the environment belongs to the key ID from the environment, not to a profile's key. */
function whyNotGiven({ source }: Sourced<string>, { name }: ActiveProfile, use: IntendedUse) {
  const { keyId, keyIdOfVariable: ofVariable } = use;
  if (!ofVariable || keyId?.source.kind !== 'profile' || keyId.value === ofVariable) return undefined;
  return `the secret from ${describeSource(source)} is for the key ID from ORGCTL_KEY_ID (${displayKeyId(ofVariable)}), not for that of profile "${name}" (${displayKeyId(keyId.value)})`;
}
