import { rightAttempt, type SignedLine, type SigningAttempt } from './attempt/signing-attempt.js';
import type { Mismatch } from './mismatch.js';
import { visibleLine } from './visible-canonical.js';

/** For programs: a part of the signed data that a client must change. The mistake's `advice` says it in words. */
export interface Correction {
  /** `layout`: which parts, in what order, with which separators. `signature`: how the HMAC is written. */
  readonly part: CorrectedPart;
  /** The signed value. `from` and `to` are absent for secret, body, layout and signature, or if either is long. */
  readonly from?: string;
  /** The value to sign. */
  readonly to?: string;
}

/** Parts that a client can get wrong. */
export type CorrectedPart =
  | 'secret'
  | 'method'
  | 'target'
  | 'timestamp'
  | 'content type'
  | 'body'
  | 'layout'
  | 'algorithm'
  | 'signature';

const shownParts: readonly (readonly [CorrectedPart, SignedLine])[] = [
  ['method', 'method'],
  ['target', 'target'],
  ['timestamp', 'timestamp'],
  ['content type', 'contentType'],
];

const shownLength = 256;

/** Corrections for `attempt`; they never show a secret or body. */
export function listCorrections(
  attempt: SigningAttempt,
  { secret, request }: Pick<Mismatch, 'secret' | 'request'>,
): Correction[] {
  const right = rightAttempt(secret, request);
  const shown = shownParts.flatMap(([part, line]): Correction[] => {
    if (Buffer.from(attempt[line]).equals(Buffer.from(right[line]))) return [];
    const [from, to] = [attempt, right].map((one) => visibleLine(line, one, secret));
    return [from, to].some((text = '') => text.length > shownLength) ? [{ part }] : [{ part, from, to }];
  });
  const isLaidOut = attempt.separator === right.separator && attempt.lines.join() === right.lines.join();
  return [
    ...(attempt.key.equals(right.key) ? [] : [{ part: 'secret' } as const]),
    ...shown,
    ...(attempt.body.equals(right.body) && attempt.encoding === 'utf8' ? [] : [{ part: 'body' } as const]),
    ...(isLaidOut ? [] : [{ part: 'layout' } as const]),
    ...algorithmCorrections(attempt),
  ];
}

function algorithmCorrections({ algorithm, keyed }: SigningAttempt): Correction[] {
  const from = `${keyed === 'hmac' ? 'hmac-' : ''}${algorithm}`;
  return from === 'hmac-sha256' ? [] : [{ part: 'algorithm', from, to: 'hmac-sha256' }];
}
