import { isSignature } from '../hmac/signature.js';
import { isInMilliseconds } from '../hmac/timestamp.js';
import { millisecondsMistakes } from './known/timestamp-mistakes.js';
import {
  describeMistakes,
  type ExplainableRequest,
  hasDigest,
  type NamedMistake,
  type Signed,
  signedRight,
  signedText,
} from './mistake.js';
import { quickMistakes, type Scope, search, type Trial } from './search.js';
import { visibleCanonical, visibleSigned } from './visible-canonical.js';

export interface Mismatch {
  readonly secret: string;
  readonly request: ExplainableRequest;
  readonly signature: string;
}

export interface SignedDifference {
  /** Offset, from 0. */
  readonly byte: number;
  /** The line feed after a part belongs to that part; `end` is after the last byte. */
  readonly part: 'method' | 'target' | 'timestamp' | 'content type' | 'body' | 'end';
}

/** Safe to log: without the secret or a valid signature. */
export interface MismatchExplanation {
  readonly reason: string;
  /** One mistake or two that reproduce the signature, or `malformed`. */
  readonly mistake: NamedMistake | undefined;
  /** The expected string, as `visibleCanonical` shows it. */
  readonly canonical: string;
  /** The signed string; absent if it is unknown or the expected one. */
  readonly signed?: string;
  readonly difference?: SignedDifference;
}

/**
 * Explains a signature that `verifySignature` has refused. Call it only then: the search does not take constant time.
 * @param thoroughly whether to guess milliseconds also in pairs of mistakes, which is most of the work
 */
export function explainMismatch(mismatch: Mismatch, thoroughly = true): MismatchExplanation {
  const { signature, request, secret } = mismatch;
  const right = signedRight(secret, request);
  const canonical = visibleCanonical(request, secret);
  const found = searchSpellings(mismatch, right, thoroughly ? 'any two' : 'quick ones');
  if (found !== undefined) {
    const { mistakes, signed } = found;
    const mistake = {
      id: mistakes.map(({ id }) => id).join('+'),
      description: mistakes.map(({ description }) => description).join(', and '),
      advice: mistakes.map(({ advice }) => advice).join('; '),
    };
    const reason = describeMistakes(mistakes);
    return { reason, mistake, canonical, ...signedInstead(signed, right, secret) };
  }
  if (!isSignature(signature)) {
    return { reason: describeMistakes([malformedSignature]), mistake: malformedSignature, canonical };
  }
  const reason = 'wrong secret, or the request differs from what was signed';
  return { reason, mistake: undefined, canonical };
}

const malformedSignature: NamedMistake = {
  id: 'malformed',
  description: 'in a form other than 64 hex characters',
  ofForm: true,
  advice: 'send the HMAC-SHA256 as 64 lower-case hexadecimal digits, with nothing before or after them',
};

const inHex = 'write the HMAC in lower-case hexadecimal';

const wrongSpellings = Object.entries({
  'upper-case-hex': {
    description: 'in upper-case hexadecimal',
    advice: inHex,
    read: (signature: string) => readHex(/[A-F]/.test(signature) ? signature.toLowerCase() : ''),
  },
  'text-around': {
    description: 'preceded or followed by other text, such as what openssl prints',
    advice: 'send only the 64 digits, without prefix, quotes or spaces: openssl dgst -r prints them first',
    read: (signature: string) => {
      const [, digits = ''] = /(?:^|[^0-9a-f])([0-9a-f]{64})(?:[^0-9a-f]|$)/i.exec(signature) ?? [];
      return digits.length < signature.length ? readHex(digits.toLowerCase()) : undefined;
    },
  },
  base64: { description: 'in base64 instead of hexadecimal', advice: inHex, read: readBase64 },
}).map(([id, row]) => ({ id, ofForm: true as const, ...row }));

function readHex(signature: string): Buffer | undefined {
  return /^(?:[0-9a-f]{2})+$/.test(signature) ? Buffer.from(signature, 'hex') : undefined;
}

/** Reads standard and URL-safe base64, padded or not; also base64 of hexadecimal digits. */
function readBase64(signature: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(signature)) return undefined;
  const bytes = Buffer.from(signature, 'base64');
  return readHex(bytes.toString('latin1')) ?? bytes;
}

export const knownMistakes: readonly NamedMistake[] = [
  ...quickMistakes,
  ...millisecondsMistakes,
  ...wrongSpellings,
  malformedSignature,
].map(({ id, description, ofForm, clause, advice }: NamedMistake) => ({
  ...{ id, description, ...(ofForm && { ofForm }), ...(clause && { clause }), advice },
}));

function searchSpellings({ request, signature }: Mismatch, right: Signed, scope: Scope): Trial | undefined {
  const hex = readHex(signature);
  // The right string is checked first, because one mistake can undo another.
  const isRight = (digest: Buffer) => !isInMilliseconds(right.timestamp) && hasDigest(right, digest);
  if (hex !== undefined && isRight(hex)) return undefined;
  const found = hex && search(hex, scope, right, request);
  if (found !== undefined) return found;
  for (const spelling of wrongSpellings) {
    const digest = spelling.read(signature);
    if (digest !== undefined && isRight(digest)) return { mistakes: [spelling], signed: right };
    const spelled = digest && search(digest, 'one', right, request);
    if (spelled !== undefined) return { ...spelled, mistakes: [...spelled.mistakes, spelling] };
  }
  return undefined;
}

/** `{}` if the expected string was signed, for example with a wrong secret. */
function signedInstead(signed: Signed, right: Signed, secret: string) {
  const [wrong, expected] = [signedText(signed), signedText(right)];
  if (wrong === expected) return {};
  let byte = 0;
  while (byte < expected.length && wrong[byte] === expected[byte]) byte += 1;
  const part = byte === expected.length ? 'end' : partAt(byte, right);
  return { signed: visibleSigned(signed, secret), difference: { byte, part } };
}

function partAt(byte: number, right: Signed): SignedDifference['part'] {
  let end = 0;
  for (const line of ['method', 'target', 'timestamp', 'contentType'] as const) {
    end += right[line].length + 1;
    if (byte < end) return line === 'contentType' ? 'content type' : line;
  }
  return 'body';
}
