import type { AuthMode } from '../../api/option-values.js';

/** What verification needs to know of a key; its other fields are passed through. */
export interface VerifiableKey {
  readonly secret: string;
  /** Default: true. */
  readonly enabled?: boolean | undefined;
}

/** A request without its body, as it was received. */
export interface RequestHead {
  readonly method: string;
  /** Path and query exactly as on the request line. Bytes where it may not be ASCII. */
  readonly target: string | Uint8Array;
  /** By names in lower case, as Node has them. */
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
}

export function readHeader({ headers }: RequestHead, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.join(', ');
}

export interface ClaimCheckOptions {
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

/** For the log: a sentence without a full stop, secret or signature. */
export interface CredentialExplanation {
  readonly reason: string;
  /** Seconds by which the timestamp is ahead of the clock; negative when it is behind. */
  readonly skew?: number;
}

/** A check that a request did not pass; the reference has status and message (section 7). */
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

/** A way to authenticate requests (reference, section 5): `hmacScheme` or `basicScheme`. */
export interface AuthenticationScheme {
  readonly mode: AuthMode;
  /** A request that has this header uses the scheme; in lower case. */
  readonly header: string;
  readonly readClaim: (head: RequestHead) => Claim | CredentialRefusal;
}

/** The claim that a request comes from the holder of a key; `scheme.ts` has the order of its checks. */
export interface Claim {
  readonly keyId: string;
  readonly checkHead: (secret: string, options: ClaimCheckOptions) => CredentialRefusal | undefined;
  /** Absent where the head already proves knowledge of the secret. */
  readonly checkBody?: (secret: string, body: Uint8Array) => CredentialRefusal | undefined;
}
