import { type AuthMode, authModes } from '../api/option-values.js';
import { errorMessage } from '../api/refusal-message.js';
import { equalInConstantTime, parseBasicAuthorization } from './basic/basic.js';
import { isSignature, signatureHeader, verifySignature } from './hmac/signature.js';
import {
  type CredentialExplanation,
  explainTimestamp,
  parseTimestamp,
  withinSkew,
} from './hmac/timestamp.js';

export interface VerifiableKey {
  readonly secret: string;
  /** Default: true. */
  readonly enabled?: boolean | undefined;
}

/** A request as received, without its body. */
export interface RequestHead {
  readonly method: string;
  /** As in `SignableRequest`. */
  readonly target: string | Uint8Array;
  /** Names in lower case, as in Node. */
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
}

function readHeader({ headers }: RequestHead, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.join(', ');
}

export interface ClaimCheckOptions {
  readonly clock: () => number;
  readonly maxSkew: number;
}

/** The checks of a credential, in order. */
export type CredentialCheck =
  | 'credentials'
  | 'format'
  | 'key'
  | 'timestamp'
  | 'signature'
  | 'secret'
  | 'enabled';

export class CredentialRefusal {
  readonly check: CredentialCheck;
  readonly message: string;
  readonly statusCode: 400 | 401 | 403;
  readonly explain: () => CredentialExplanation;

  constructor(
    check: CredentialCheck,
    message: string,
    explain: string | (() => CredentialExplanation),
    statusCode: 400 | 401 | 403 = 401,
  ) {
    this.check = check;
    this.message = message;
    this.statusCode = statusCode;
    this.explain = typeof explain === 'string' ? () => ({ reason: explain }) : explain;
  }
}

/** A request's claim to hold a key; see `readClaim`. */
export interface Claim {
  readonly keyId: string;
  readonly checkHead: (secret: string, options: ClaimCheckOptions) => CredentialRefusal | undefined;
  /** Absent if the head alone proves knowledge of the secret. */
  readonly checkBody?: (secret: string, body: Uint8Array) => CredentialRefusal | undefined;
}

const keyHeader = signatureHeader.key.toLowerCase();
const timestampHeader = signatureHeader.timestamp.toLowerCase();
const signatureHeaderName = signatureHeader.signature.toLowerCase();

export const credentialHeaders: readonly string[] = [keyHeader, 'authorization'];

const schemes = [
  { mode: 'hmac', header: keyHeader, readClaim: readHmacClaim },
  { mode: 'basic', header: 'authorization', readClaim: readBasicClaim },
] as const;

function readSchemes(head: RequestHead) {
  return schemes.filter(({ header }) => readHeader(head, header) !== undefined);
}

/** Reads the only credential. Then call `checkHead`, the claim's `checkBody` and `checkEnabled`, in this order. */
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

export function readSigned(head: RequestHead, body: Uint8Array = new Uint8Array()) {
  const { method, target } = head;
  const read = (name: string) => readHeader(head, name) ?? '';
  const [timestamp, contentType] = [read(timestampHeader), read('content-type')];
  const request = { method, target, timestamp, contentType, body, keyId: read(keyHeader) };
  return { request, signature: read(signatureHeaderName) };
}

function readHmacClaim(head: RequestHead): Claim {
  const { request, signature } = readSigned(head);
  const { keyId, timestamp } = request;
  return {
    keyId,
    checkHead(_secret, { clock, maxSkew }) {
      const now = clock();
      const seconds = parseTimestamp(timestamp);
      if (seconds !== undefined && withinSkew(seconds, now, maxSkew))
        return isSignature(signature) ? undefined : wrongSignature;
      const explain = () => explainTimestamp(timestamp, now, maxSkew);
      return new CredentialRefusal('timestamp', errorMessage.invalidTimestamp, explain);
    },
    checkBody: (secret, body) =>
      verifySignature(secret, { ...request, body }, signature) ? undefined : wrongSignature,
  };
}

function readBasicClaim(head: RequestHead): Claim | CredentialRefusal {
  const authorization = readHeader(head, 'authorization') ?? '';
  const credential = parseBasicAuthorization(authorization);
  if (credential === undefined) return malformedBasic;
  const { keyId, secret: given } = credential;
  return { keyId, checkHead: (secret) => (equalInConstantTime(secret, given) ? undefined : wrongSecret) };
}

/** The key, or a refusal that needs no body. @param body if known, so that unknown keys take as long as known ones */
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

const { invalidKey, invalidSecret, invalidSignature, keyDisabled, multipleCredentials } = errorMessage;
const noCredential = new CredentialRefusal('credentials', invalidKey, 'the request has no credential');
const basicReason =
  'the Authorization header must be Basic, a space, and padded base64 of KEY_ID:SECRET in UTF-8';
const malformedBasic = new CredentialRefusal('format', errorMessage.invalidBasicFormat, basicReason);
const severalReason = 'both Authorization and X-API-Key were sent';
const severalCredentials = new CredentialRefusal('credentials', multipleCredentials, severalReason, 400);
const unknownKey = new CredentialRefusal('key', invalidKey, 'unknown key');
const disabledKey = new CredentialRefusal('enabled', keyDisabled, 'the key is disabled', 403);
const wrongSecret = new CredentialRefusal('secret', invalidSecret, 'wrong secret for this key');
const unmatched = 'the signature does not match the request';
const wrongSignature = new CredentialRefusal('signature', invalidSignature, unmatched);
