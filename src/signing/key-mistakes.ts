import type { SigningAttempt, SigningMistake } from './signing-attempt.js';

/** Mistakes about the HMAC's key and hash. */
export const keyMistakes: readonly SigningMistake[] = [
  {
    id: 'secret-newline',
    description: 'with a newline after the secret',
    reproduce: (right) =>
      ['\n', '\r\n'].map((end) => ({ ...right, key: Buffer.concat([right.key, Buffer.from(end)]) })),
  },
  {
    id: 'secret-hex',
    description: 'with the secret decoded as hexadecimal',
    reproduce: (right) => decodedKey(right, /^(?:[0-9a-f]{2})+$/i, 'hex'),
  },
  {
    id: 'secret-base64',
    description: 'with the secret decoded as base64',
    reproduce: (right) => decodedKey(right, /^[\w+/-]{2,}={0,2}$/, 'base64'),
  },
  {
    id: 'sha1',
    description: 'with SHA-1 instead of SHA-256',
    reproduce: (right) => [{ ...right, algorithm: 'sha1' }],
  },
  {
    id: 'sha512',
    description: 'with SHA-512 instead of SHA-256',
    reproduce: (right) => [{ ...right, algorithm: 'sha512' }],
  },
];

function decodedKey(right: SigningAttempt, pattern: RegExp, encoding: 'hex' | 'base64'): SigningAttempt[] {
  const secret = right.key.toString('latin1');
  return pattern.test(secret) ? [{ ...right, key: Buffer.from(secret, encoding) }] : [];
}
