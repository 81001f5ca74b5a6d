import { randomBytes } from 'node:crypto';
import type { AuthMode } from '../api/option-values.js';
import {
  basicAuthorization,
  type Credential,
  equalInConstantTime,
  signedHeaders,
  timestampOf,
} from '../signing/index.js';
import { findValues, type RawHeaders } from './headers.js';

export interface Signer {
  /** Clients send this token in requests that the proxy is to sign. */
  readonly token: string;
  /** The headers to add, as alternating names and values. */
  sign(method: string, target: string, headers: RawHeaders, body: Buffer): string[];
}

export function makeSigner({ keyId, secret }: Credential, auth: AuthMode): Signer {
  const sign: Signer['sign'] = (method, target, headers, body) => {
    if (auth === 'basic') return ['Authorization', basicAuthorization({ keyId, secret })];
    const [contentType = ''] = findValues(headers, 'content-type');
    const timestamp = timestampOf(Date.now());
    const signed = signedHeaders({ keyId, secret }, { method, target, timestamp, contentType, body });
    return Object.entries(signed).flat();
  };
  return { token: randomBytes(24).toString('base64url'), sign };
}

/** Whether exactly one token was given, and it is the right one. */
export function isToken(given: readonly string[], { token }: Signer): boolean {
  const [only = ''] = given;
  return given.length === 1 && equalInConstantTime(only, token);
}
