/** A key for verification; other fields pass through. */
export interface VerifiableKey {
  readonly secret: string;
  /** Default: true. */
  readonly enabled?: boolean | undefined;
}

/** A request as received, without its body. */
export interface RequestHead {
  readonly method: string;
  /** Path and query exactly as on the request line; bytes if it may not be ASCII. */
  readonly target: string | Uint8Array;
  /** Names in lower case, as in Node. */
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
}

export function readHeader({ headers }: RequestHead, name: string): string | undefined {
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

/** For the log: a sentence without a period, secret or signature. */
export interface CredentialExplanation {
  readonly reason: string;
  /** Seconds ahead of the clock; negative when behind. */
  readonly skew?: number;
}

/** A failed check, with status and message from the API reference. */
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

/** A request's claim to hold a key; `readClaim` in `scheme.ts` says how to check it. */
export interface Claim {
  readonly keyId: string;
  readonly checkHead: (secret: string, options: ClaimCheckOptions) => CredentialRefusal | undefined;
  /** Absent if the head alone proves knowledge of the secret. */
  readonly checkBody?: (secret: string, body: Uint8Array) => CredentialRefusal | undefined;
}
