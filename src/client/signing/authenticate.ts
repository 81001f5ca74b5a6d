import type { AuthMode } from '../../api/option-values.js';
import { basicAuthorization, type Credential } from '../../signing/basic/basic.js';
import { type SignableRequest, signatureHeader, signedHeaders } from '../../signing/hmac/signature.js';
import { timestampOf } from '../../signing/hmac/timestamp.js';

/** How to authenticate requests. */
export interface SignOptions extends Credential {
  /** `hmac` signs each request, `basic` sends the secret itself; default: `hmac`. */
  readonly auth?: AuthMode | undefined;
  /** Milliseconds since the epoch; default: the system's clock. */
  readonly clock?: (() => number) | undefined;
  /** Maximum bytes of a body to buffer for signing; default: 16 MiB. */
  readonly maxBodyBytes?: number | undefined;
}

export type HeaderPair = readonly [name: string, value: string];

const authenticating: ReadonlySet<string> = new Set(
  ['Authorization', ...Object.values(signatureHeader)].map((name) => name.toLowerCase()),
);

/** Whether a header is part of a credential; the service refuses two credentials. */
export function isAuthenticating(name: string): boolean {
  return authenticating.has(name.toLowerCase());
}

/** Replaces any credential in the headers. The signature covers the bytes that are sent. */
export function withCredential(
  headers: readonly HeaderPair[],
  { keyId, secret, auth = 'hmac', clock = Date.now }: SignOptions,
  request: Pick<SignableRequest, 'method' | 'body'> & { readonly target: string },
): HeaderPair[] {
  const kept = headers.filter(([name]) => !isAuthenticating(name));
  if (auth === 'basic') return [...kept, ['Authorization', basicAuthorization({ keyId, secret })]];
  const contentType = kept.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const timestamp = timestampOf(clock());
  return [
    ...kept,
    ...Object.entries(signedHeaders({ keyId, secret }, { ...request, timestamp, contentType })),
  ];
}
