import type { AuthMode } from '../../api/option-values.js';

/** What verification needs to know of a key; its other fields are passed through. */
export interface VerifiableKey {
  readonly secret: string;
  /** Default: true. */
  readonly enabled?: boolean | undefined;
}

/** Headers by their names in lower case, as Node has them. */
export interface HeaderFields {
  readonly [name: string]: string | readonly string[] | undefined;
}

/** A request without its body, as it was received. */
export interface RequestHead {
  readonly method: string;
  /** Path and query exactly as on the request line. Bytes where it may not be ASCII. */
  readonly target: string | Uint8Array;
  readonly headers: HeaderFields;
}

/** The value of a header, of which `name` is in lower case; `undefined` when it was not sent. */
export function readHeader(headers: HeaderFields, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.join(', ');
}

/** By which a timestamp is judged. */
export interface CheckOptions {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Seconds by which a timestamp may differ from the clock, in either direction. */
  readonly maxSkew: number;
}

/** The checks of a credential, in the order in which they are made. */
export type CredentialCheck =
  | 'credentials'
  | 'format'
  | 'key'
  | 'timestamp'
  | 'signature'
  | 'secret'
  | 'enabled';

/** Why a credential was refused, for the log. */
export interface CredentialExplanation {
  /** A sentence without a full stop, secret or signature. */
  readonly reason: string;
  /** Seconds by which the timestamp is ahead of the clock; negative when it is behind. */
  readonly skew?: number;
}

/** A check that a request did not pass; status and message make the reference's answer (section 7). */
export class CredentialRefusal {
  readonly check: CredentialCheck;
  readonly message: string;
  readonly statusCode: 400 | 401 | 403;
  /** Why, in words that are made when they are wanted. */
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

/** A way to authenticate requests (reference, section 5): `hmacScheme` or `basicScheme`. */
export interface AuthenticationScheme {
  readonly mode: AuthMode;
  /** The header that a request uses this scheme by, in lower case. */
  readonly header: string;
  /** The ID of the key that such a request claims; `undefined` when the credential is malformed. */
  readonly readKeyId: (headers: HeaderFields) => string | undefined;
  readonly readProof: (head: RequestHead) => CredentialProof | CredentialRefusal;
}

/** What a request offers as proof of knowing the secret of a key. */
export interface CredentialProof {
  readonly keyId: string;
  /** What the head shows to be wrong, whatever the body is. */
  readonly checkHead: (secret: string, options: CheckOptions) => CredentialRefusal | undefined;
  /** Absent where the head proves it all. */
  readonly checkBody?: (secret: string, body: Uint8Array) => CredentialRefusal | undefined;
}
