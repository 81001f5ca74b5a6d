import { type AuthMode, authModes } from '../api/option-values.js';
import { errorMessage } from '../api/refusal-message.js';
import { basicScheme } from './basic/basic-scheme.js';
import {
  type AuthenticationScheme,
  type CheckOptions,
  type CredentialProof,
  CredentialRefusal,
  type HeaderFields,
  type RequestHead,
  readHeader,
  type VerifiableKey,
} from './claim/claim.js';
import { hmacScheme } from './hmac/hmac-scheme.js';

const schemes: readonly AuthenticationScheme[] = [hmacScheme, basicScheme];

/**
 * Reads the credential of a request, which must use exactly one mode (reference, section 5). The checks that follow, in
 * the order of their refusals: `checkHead` of the claim, its `checkBody`, then `checkEnabled`.
 * @param modes those that are accepted
 */
export function readClaim(
  head: RequestHead,
  modes: readonly AuthMode[] = authModes,
): Claim | CredentialRefusal {
  const [scheme, other] = schemes.filter(({ header }) => readHeader(head.headers, header) !== undefined);
  if (other !== undefined) return severalCredentials;
  if (scheme === undefined || !modes.includes(scheme.mode)) return noCredential;
  const proof = scheme.readProof(head);
  return proof instanceof CredentialRefusal ? proof : new Claim(proof);
}

/** The key IDs of all well-formed credentials of a request, also of one that has several; that of mode B comes first. */
export function readKeyIds(headers: HeaderFields): string[] {
  return schemes
    .filter(({ header }) => readHeader(headers, header) !== undefined)
    .flatMap(({ readKeyId }) => readKeyId(headers) ?? []);
}

/** The claim that a request comes from the holder of a key. */
export class Claim {
  readonly keyId: string;
  /** Whether it takes the body to prove knowledge of the secret: otherwise the head does. */
  readonly needsBody: boolean;
  readonly #proof: CredentialProof;

  constructor(proof: CredentialProof) {
    this.keyId = proof.keyId;
    this.needsBody = proof.checkBody !== undefined;
    this.#proof = proof;
  }

  /**
   * The key, unless the head of the request shows that it will be refused, whatever its body is.
   * @param key what `keyId` is the ID of
   * @param body if it is there: an unknown key then takes as long as a known one
   */
  checkHead<Key extends VerifiableKey>(
    key: Key | undefined,
    options: CheckOptions,
    body: Uint8Array = noBody,
  ): Key | CredentialRefusal {
    const secret = key?.secret ?? noSecret;
    const refusal = this.#proof.checkHead(secret, options);
    if (key !== undefined && refusal === undefined) return key;
    // For its duration, which tells nothing about the key.
    this.#proof.checkBody?.(secret, body);
    return (key && refusal) ?? unknownKey;
  }

  /** Why a request whose head is in order does not prove knowledge of the secret. @param key what `checkHead` returned */
  checkBody({ secret }: VerifiableKey, body: Uint8Array): CredentialRefusal | undefined {
    return this.#proof.checkBody?.(secret, body);
  }
}

/** To be called last: only a request that knows the secret may learn that its key is disabled (reference, section 3). */
export function checkEnabled({ enabled }: VerifiableKey): CredentialRefusal | undefined {
  return enabled === false ? disabledKey : undefined;
}

const noBody = new Uint8Array();

/** Stands in for the secret of an unknown key, so that checking one takes as long as for a known key. */
const noSecret = '0'.repeat(64);

const severalCredentials = new CredentialRefusal(
  'credentials',
  errorMessage.multipleCredentials,
  'both Authorization and X-API-Key were sent',
  400,
);

// The reference has no message for a request without a credential: this one is ours.
const noCredential = new CredentialRefusal(
  'credentials',
  errorMessage.invalidKey,
  'the request carries no credential that is accepted',
);

const unknownKey = new CredentialRefusal('key', errorMessage.invalidKey, 'there is no such key');
const disabledKey = new CredentialRefusal('enabled', errorMessage.keyDisabled, 'the key is disabled', 403);
