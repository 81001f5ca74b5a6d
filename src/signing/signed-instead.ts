import { canonicalString, type SignableRequest } from './canonical-string.js';
import { attemptBytes, type SigningAttempt } from './signing-attempt.js';
import { visibleAttempt } from './visible-canonical.js';

/** The parts of the canonical string, in their order (reference, section 5, mode B). */
const parts = ['method', 'target', 'timestamp', 'content type', 'body'] as const;

/** The first difference between what was signed and what should have been. */
export interface SignedDifference {
  /** How many bytes before it are the same in both. */
  readonly byte: number;
  /** The part of the canonical string that it is in, including the part's line feed; `end` is after the last. */
  readonly part: (typeof parts)[number] | 'end';
}

/** What an attempt signs instead of the canonical string; empty when it signs just that, with another key. */
export function signedInstead(
  attempt: SigningAttempt,
  { request, secret }: { readonly request: SignableRequest; readonly secret: string },
): { readonly signed?: string; readonly difference?: SignedDifference } {
  const right = canonicalString(request);
  const wrong = attemptBytes(attempt);
  if (right.equals(wrong)) return {};
  const byte = firstDifference(right, wrong);
  return {
    signed: visibleAttempt(attempt, secret),
    difference: { byte, part: partAt(byte, request, right.length) },
  };
}

function firstDifference(one: Buffer, other: Buffer): number {
  const at = one.findIndex((byte, index) => byte !== other[index]);
  return at === -1 ? one.length : at;
}

function partAt(
  byte: number,
  { method, target, timestamp, contentType, body }: SignableRequest,
  length: number,
) {
  if (byte >= length) return 'end';
  const type = body.byteLength === 0 ? '' : contentType;
  let end = 0;
  for (const [index, part] of [method, target, timestamp, type].entries()) {
    end += Buffer.byteLength(part) + 1;
    if (byte < end) return parts[index] ?? 'body';
  }
  return 'body';
}
