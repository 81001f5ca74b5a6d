import { createHash } from 'node:crypto';
import type { SigningAttempt, SigningMistake } from '../attempt/signing-attempt.js';

export const secretMistakes: readonly SigningMistake[] = [
  {
    id: 'key-id-as-secret',
    aspect: 'key ID',
    description: 'with the key ID instead of the secret',
    advice: 'key the HMAC with the secret; the key ID goes only into X-API-Key',
    reproduce: (right, { keyId }) => (keyId === undefined ? [] : withKeys(right, [keyId])),
  },
  {
    id: 'secret-newline',
    aspect: 'secret',
    description: 'with a newline after the secret',
    advice: 'strip the newline from the secret where it is read',
    reproduce: (right) =>
      withKeys(
        right,
        ['\n', '\r\n'].map((end) => Buffer.concat([right.key, Buffer.from(end)])),
      ),
  },
  {
    id: 'secret-unset',
    aspect: 'secret',
    description: 'with an empty secret, or with the name of an unset variable',
    advice: 'check that the variable with the secret is set where the client runs, and stop if it is empty',
    reproduce: (right) => withKeys(right, unsetSecrets),
  },
  {
    id: 'secret-quoted',
    aspect: 'secret',
    description: 'with quotes or spaces around the secret',
    advice:
      'read the secret without quotes and spaces: some programs, unlike a shell, keep the quotes of a .env file',
    isAlone: true,
    reproduce: (right) => {
      const secret = right.key.toString('latin1');
      const others = [`"${secret}"`, `'${secret}'`, ` ${secret}`, `${secret} `, `\ufeff${secret}`];
      return withKeys(right, others);
    },
  },
  {
    id: 'credential-as-secret',
    aspect: 'secret',
    description: 'with key ID and secret together as the key, as in Basic authentication',
    advice: 'key the HMAC with only the secret',
    isAlone: true,
    reproduce: (right, { keyId }) => {
      const both = `${keyId ?? ''}:${right.key.toString()}`;
      return keyId === undefined ? [] : withKeys(right, [both, Buffer.from(both).toString('base64')]);
    },
  },
  {
    id: 'secret-hex',
    aspect: 'secret',
    description: 'with the secret decoded as hexadecimal',
    advice: 'key the HMAC with the unmodified characters of the secret',
    reproduce: (right) => decodedKey(right, /^(?:[0-9a-f]{2})+$/i, 'hex'),
  },
  {
    id: 'secret-base64',
    aspect: 'secret',
    description: 'with the secret decoded as base64',
    advice: 'key the HMAC with the unmodified characters of the secret',
    reproduce: (right) => decodedKey(right, /^[\w+/-]{2,}={0,2}$/, 'base64'),
  },
  {
    id: 'secret-encoded',
    aspect: 'secret',
    description: 'with the secret encoded or hashed first',
    advice: 'key the HMAC with the unmodified characters of the secret',
    isAlone: true,
    reproduce: (right) => {
      const hash = createHash('sha256').update(right.key).digest();
      return withKeys(right, [
        right.key.toString('base64'),
        right.key.toString('hex'),
        hash,
        hash.toString('hex'),
      ]);
    },
  },
];

/** How languages and shells render an unset or unexpanded variable. */
const unsetSecrets = ['', 'undefined', 'None', 'null', 'nil', '$ORGCTL_SECRET', '$SECRET', 'ORGCTL_SECRET'];

function withKeys(right: SigningAttempt, keys: readonly (string | Buffer)[]): SigningAttempt[] {
  return keys.map((key) => ({ ...right, key: Buffer.from(key) }));
}

function decodedKey(right: SigningAttempt, pattern: RegExp, encoding: 'hex' | 'base64'): SigningAttempt[] {
  const secret = right.key.toString('latin1');
  return pattern.test(secret) ? withKeys(right, [Buffer.from(secret, encoding)]) : [];
}
