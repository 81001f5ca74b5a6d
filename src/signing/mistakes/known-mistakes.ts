import { isInMilliseconds } from '../hmac/timestamp.js';
import { bodyMistakes } from './body-mistakes.js';
import { contentTypeMistakes, endMistake, targetMistakes } from './request-mistakes.js';
import { attemptSize, type SigningAttempt, type SigningMistake } from './signing-attempt.js';

const secretMistakes: readonly SigningMistake[] = [
  {
    id: 'secret-newline',
    aspect: 'secret',
    description: 'with a newline after the secret',
    advice: 'strip the line end from the secret where it is read',
    reproduce: (right) =>
      ['\n', '\r\n'].map((end) => ({ ...right, key: Buffer.concat([right.key, Buffer.from(end)]) })),
  },
  {
    id: 'key-id-as-secret',
    aspect: 'secret',
    description: 'with the key ID instead of the secret',
    advice: 'key the HMAC with the secret; the key ID goes into X-API-Key alone',
    reproduce: (right, { keyId }) => (keyId === undefined ? [] : [{ ...right, key: Buffer.from(keyId) }]),
  },
  {
    id: 'secret-hex',
    aspect: 'secret',
    description: 'with the secret decoded as hexadecimal',
    advice: "key the HMAC with the secret's characters as they are",
    reproduce: (right) => decodedKey(right, /^(?:[0-9a-f]{2})+$/i, 'hex'),
  },
  {
    id: 'secret-base64',
    aspect: 'secret',
    description: 'with the secret decoded as base64',
    advice: "key the HMAC with the secret's characters as they are",
    reproduce: (right) => decodedKey(right, /^[\w+/-]{2,}={0,2}$/, 'base64'),
  },
];

function decodedKey(right: SigningAttempt, pattern: RegExp, encoding: 'hex' | 'base64'): SigningAttempt[] {
  const secret = right.key.toString('latin1');
  return pattern.test(secret) ? [{ ...right, key: Buffer.from(secret, encoding) }] : [];
}

const algorithmMistakes: readonly SigningMistake[] = [
  {
    id: 'sha1',
    aspect: 'algorithm',
    description: 'with SHA-1 instead of SHA-256',
    advice: 'use HMAC-SHA256',
    reproduce: (right) => [{ ...right, algorithm: 'sha1' }],
  },
  {
    id: 'sha512',
    aspect: 'algorithm',
    description: 'with SHA-512 instead of SHA-256',
    advice: 'use HMAC-SHA256',
    reproduce: (right) => [{ ...right, algorithm: 'sha512' }],
  },
];

/** In the order in which they alter an attempt; without the timestamp's. */
export const quickMistakes: readonly SigningMistake[] = [
  ...secretMistakes,
  ...targetMistakes,
  ...bodyMistakes,
  ...contentTypeMistakes,
  endMistake,
  ...algorithmMistakes,
];

/** Separate, because it takes a thousand attempts. */
export const timestampMistake: SigningMistake = {
  id: 'milliseconds',
  aspect: 'timestamp',
  description: 'over a timestamp in milliseconds',
  advice: 'divide by 1000 and round down once, then sign and send the same text',
  reproduce: tryMilliseconds,
};

/** Bytes; larger requests are only tried with whole seconds. */
const fewBytes = 4096;

/** Unsent milliseconds take a thousand attempts; sent ones take one. */
function* tryMilliseconds(right: SigningAttempt): Iterable<SigningAttempt> {
  const { timestamp } = right;
  if (isInMilliseconds(timestamp)) {
    yield right;
    yield { ...right, timestamp: timestamp.slice(0, -3) };
    return;
  }
  const tries = attemptSize(right) > fewBytes ? 1 : 1000;
  for (let moment = 0; moment < tries; moment += 1) {
    yield { ...right, timestamp: `${timestamp}${String(moment).padStart(3, '0')}` };
  }
}
