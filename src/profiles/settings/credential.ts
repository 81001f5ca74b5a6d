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

/**
 * The profile's secret if it is for this key ID and origin; otherwise the secret from the environment, unless that is
 * for another key ID. @throws ConfigError for secrets that fit neither
 */
export function secretOrigin(
  active: ActiveProfile,
  readGiven: () => Sourced<string> | undefined,
  { baseUrl, keyId, keyIdOfVariable, allowHost }: IntendedUse,
): SecretOrigin | undefined {
  const { name, profile } = active;
  const stored = storedSecret(active);
  const own = storedSetting(settings.baseUrl, profile, name)?.value.origin;
  const isOwnPlace = allowHost || (baseUrl?.value.origin ?? own) === own;
  const isOwn = isOwnPlace && (keyId?.value ?? profile.keyId) === profile.keyId;
  if (isOwn && stored !== undefined) return stored;
  const given = readGiven();
  const isOther = keyIdOfVariable && keyId?.source.kind === 'profile' && keyId.value !== keyIdOfVariable;
  if (given === undefined ? isOwn : !isOther) return given && { kind: 'value', ...given };
  const from = (found: Sourced<unknown> | undefined) => found && ` (${describeSource(found.source)})`;
  const [owner, keyOf, at] = given
    ? [describeSource(given.source), keyIdOfVariable ?? '', ' (ORGCTL_KEY_ID)']
    : [`profile "${name}"`, profile.keyId, ` at ${own}`];
  const wanted = `${displayKeyId(keyId?.value ?? '')}${from(keyId)} at ${baseUrl?.value.origin}${from(baseUrl)}`;
  throw new ConfigError(`the secret of ${owner} is for ${displayKeyId(keyOf)}${at}, not for ${wanted}`, {
    hint: 'give address, key ID and secret from one source, such as ORGCTL_BASE_URL, ORGCTL_KEY_ID and ORGCTL_SECRET; --allow-host allows another address',
  });
}

/** Of several, which only a user could write, the one that is not in the file itself. */
function storedSecret({ name, profile }: ActiveProfile): SecretOrigin | undefined {
  const source: Source = { kind: 'profile', name };
  const { secret, secretCommand: command, keyring } = profile;
  if (keyring) return { kind: 'keyring', profile, source };
  if (command !== undefined) return { kind: 'command', command, source };
  return secret ? { kind: 'value', value: secret, source } : undefined;
}
