import { type AuthMode, authModes } from '../api/option-values.js';
import { errorMessage } from '../api/refusal-message.js';
import { basicScheme } from './basic/basic-scheme.js';
import {
  type Claim,
  type ClaimCheckOptions,
  CredentialRefusal,
  type RequestHead,
  readHeader,
  type VerifiableKey,
} from './claim/claim.js';
import { hmacScheme } from './hmac/hmac-scheme.js';

const schemes = [hmacScheme, basicScheme];

/** The headers that carry a key ID, in lower case. */
export const credentialHeaders: readonly string[] = schemes.map(({ header }) => header);

function readSchemes(head: RequestHead) {
  return schemes.filter(({ header }) => readHeader(head, header) !== undefined);
}

/** Requires exactly one mode. Then call `checkHead`, the claim's `checkBody` and `checkEnabled`, in this order. */
export function readClaim(
  head: RequestHead,
  modes: readonly AuthMode[] = authModes,
): Claim | CredentialRefusal {
  const [scheme, other] = readSchemes(head);
  if (other !== undefined) return severalCredentials;
  if (scheme === undefined || !modes.includes(scheme.mode)) return noCredential;
  return scheme.readClaim(head);
}

/** Key IDs of all well-formed credentials; the key ID of HMAC headers comes first. */
export function readKeyIds(head: RequestHead): string[] {
  const claims = readSchemes(head).map((scheme) => scheme.readClaim(head));
  return claims.flatMap((claim) => (claim instanceof CredentialRefusal ? [] : [claim.keyId]));
}

/** The key, or a refusal that needs no body. @param body if known: unknown keys then take as long as known ones */
export function checkHead<Key extends VerifiableKey>(
  claim: Claim,
  key: Key | undefined,
  options: ClaimCheckOptions,
  body: Uint8Array = new Uint8Array(),
): Key | CredentialRefusal {
  const secret = key?.secret ?? noSecret;
  const refusal = claim.checkHead(secret, options);
  if (key !== undefined && refusal === undefined) return key;
  // Refusing takes as long as accepting, and so reveals nothing about the key.
  claim.checkBody?.(secret, body);
  return (key && refusal) ?? unknownKey;
}

/** Call it last: only clients that know the secret may learn that their key is disabled. */
export function checkEnabled({ enabled }: VerifiableKey): CredentialRefusal | undefined {
  return enabled === false ? disabledKey : undefined;
}

/** Stands in for an unknown key's secret. */
const noSecret = '0'.repeat(64);

const severalCredentials = new CredentialRefusal(
  'credentials',
  errorMessage.multipleCredentials,
  'both Authorization and X-API-Key were sent',
  400,
);

const noCredential = new CredentialRefusal(
  'credentials',
  errorMessage.invalidKey,
  'the request has no accepted credential',
);

const unknownKey = new CredentialRefusal('key', errorMessage.invalidKey, 'unknown key');
const disabledKey = new CredentialRefusal('enabled', errorMessage.keyDisabled, 'the key is disabled', 403);
