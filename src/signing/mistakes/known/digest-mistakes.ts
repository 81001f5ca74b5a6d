import type { SigningAttempt, SigningMistake } from '../attempt/signing-attempt.js';

const algorithmNames = { sha1: 'SHA-1', sha512: 'SHA-512', sha384: 'SHA-384', md5: 'MD5' };

export const digestMistakes: readonly SigningMistake[] = [
  {
    id: 'no-key',
    aspect: 'algorithm',
    description: 'with a plain SHA-256 hash instead of an HMAC',
    advice: 'use HMAC-SHA256, keyed with the secret: openssl dgst -sha256 -hmac, not openssl dgst -sha256',
    isAlone: true,
    reproduce: (right) => keyedAs(right, ['hash', 'secret first', 'secret last']),
  },
  {
    id: 'key-and-message-swapped',
    aspect: 'algorithm',
    description: 'with the secret as the message, and the canonical string as the key',
    advice:
      "give the HMAC the secret as its key: PHP's hash_hmac takes the message before the key, Python's hmac.new the key before the message",
    isAlone: true,
    reproduce: (right) => keyedAs(right, ['swapped']),
  },
  ...(['sha1', 'sha512', 'sha384', 'md5'] as const).map((algorithm) => withAlgorithm(algorithm)),
  {
    id: 'utf-16',
    aspect: 'encoding',
    description: 'over UTF-16 instead of UTF-8',
    advice: 'encode string and secret as UTF-8: Encoding.UTF8 in .NET, not Encoding.Unicode',
    isAlone: true,
    reproduce: (right) =>
      [right.key, Buffer.from(right.key.toString(), 'utf16le')].map((key) => ({
        ...right,
        key,
        encoding: 'utf16le',
      })),
  },
];

function keyedAs(right: SigningAttempt, ways: readonly SigningAttempt['keyed'][]): SigningAttempt[] {
  return ways.map((keyed) => ({ ...right, keyed }));
}

function withAlgorithm(algorithm: keyof typeof algorithmNames): SigningMistake {
  return {
    id: algorithm,
    aspect: 'algorithm',
    description: `with ${algorithmNames[algorithm]} instead of SHA-256`,
    advice: 'use HMAC-SHA256',
    isAlone: algorithm === 'sha384' || algorithm === 'md5',
    reproduce: (right) => [{ ...right, algorithm }],
  };
}
