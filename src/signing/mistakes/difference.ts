import { type Signed, type SignedLine, signedText } from './signed.js';
import { visibleLine, visibleSigned } from './visible-canonical.js';

/** The first difference between the signed and the expected string. */
export interface SignedDifference {
  /** Offset in bytes; 0 is the first byte. */
  readonly byte: number;
  /** The line feed after a part belongs to that part; `end` is after the last byte. */
  readonly part: 'method' | 'target' | 'timestamp' | 'content type' | 'body' | 'end';
}

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
  | Exclude<SignedDifference['part'], 'end'>
  | 'secret'
  | 'layout'
  | 'algorithm'
  | 'signature';

const partNames = [
  ['method', 'method'],
  ['target', 'target'],
  ['timestamp', 'timestamp'],
  ['contentType', 'content type'],
] as const satisfies [SignedLine, CorrectedPart][];

/** The signed string; `{}` if it is the expected string, for example because only the secret was wrong. */
export function signedInstead(
  signed: Signed,
  right: Signed,
  secret: string,
): { readonly signed?: string; readonly difference?: SignedDifference } {
  const [wrong, expected] = [signedText(signed), signedText(right)];
  if (wrong === expected) return {};
  let byte = 0;
  while (byte < expected.length && wrong[byte] === expected[byte]) byte += 1;
  const part = byte === expected.length ? 'end' : partAt(byte, right);
  return { signed: visibleSigned(signed, secret), difference: { byte, part } };
}

function partAt(byte: number, right: Signed): SignedDifference['part'] {
  let end = 0;
  for (const [line, part] of partNames) {
    end += right[line].length + 1;
    if (byte < end) return part;
  }
  return 'body';
}

const shownLength = 256;

/** Corrections for `signed`; they never show a secret or body. */
export function listCorrections(signed: Signed, right: Signed, secret: string): Correction[] {
  const differs = (...parts: (keyof Signed)[]) =>
    parts.some((part) => String(signed[part]) !== String(right[part]));
  const lines = partNames.map(([line, part]): Correction | undefined => {
    if (!differs(line)) return undefined;
    const [from, to] = [visibleLine(line, signed, secret), visibleLine(line, right, secret)];
    return Math.max(from.length, to.length) > shownLength ? { part } : { part, from, to };
  });
  const from = `${signed.keyed === 'hmac' ? 'hmac-' : ''}${signed.algorithm}`;
  const corrections: readonly (Correction | undefined)[] = [
    differs('key') ? { part: 'secret' } : undefined,
    ...lines,
    differs('body') ? { part: 'body' } : undefined,
    differs('separator', 'lines') ? { part: 'layout' } : undefined,
    differs('algorithm', 'keyed') ? { part: 'algorithm', from, to: 'hmac-sha256' } : undefined,
  ];
  return corrections.filter((one) => one !== undefined);
}
