import { canonicalString, type SignableRequest } from '../hmac/signature.js';
import { attemptBytes, type SigningAttempt } from './attempt/signing-attempt.js';
import { visibleAttempt } from './visible-canonical.js';

/** The first difference between the signed and the expected string. */
export interface SignedDifference {
  /** Offset in bytes; 0 is the first byte. */
  readonly byte: number;
  /** The line feed after a part belongs to that part; `end` is after the last byte. */
  readonly part: 'method' | 'target' | 'timestamp' | 'content type' | 'body' | 'end';
}

/** The signed string; `{}` if it looks like the expected string, for example because only the secret was wrong. */
export function signedInstead(
  attempt: SigningAttempt,
  { request, secret }: { readonly request: SignableRequest; readonly secret: string },
): { readonly signed?: string; readonly difference?: SignedDifference } {
  const right = canonicalString(request);
  const wrong = attemptBytes(attempt);
  // Texts that differ only in their encoding look the same.
  if (right.equals(wrong) || attempt.encoding !== 'utf8') return {};
  const byte = findDifference(right, wrong);
  return {
    signed: visibleAttempt(attempt, secret),
    difference: { byte, part: partAt(byte, request, right.length) },
  };
}

function findDifference(one: Buffer, other: Buffer): number {
  const at = one.findIndex((byte, index) => byte !== other[index]);
  return at === -1 ? one.length : at;
}

function partAt(byte: number, { method, target, timestamp, contentType }: SignableRequest, length: number) {
  if (byte >= length) return 'end';
  const lines = [
    ['method', method],
    ['target', target],
    ['timestamp', timestamp],
    ['content type', contentType],
  ] as const;
  let end = 0;
  for (const [part, text] of lines) {
    end += Buffer.byteLength(text) + 1;
    if (byte < end) return part;
  }
  return 'body';
}
