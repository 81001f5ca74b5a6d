import { ofPart, type SigningMistake, toBytes } from '../mistake.js';

const variables = [
  'ORGCTL_SECRET',
  'SECRET',
  'API_SECRET',
  'API_KEY_SECRET',
  'secret',
  'apiSecret',
  'VAR',
  'var',
];
const templates = ['NAME', '$NAME', `\${NAME}`, '{{NAME}}', '{{ NAME }}', '%NAME%', '$env:NAME'];

/** What languages and shells write for an unset variable, and variables that were not expanded. */
const unsetSecrets = [
  ...['', 'undefined', 'None', 'null', 'nil', '********'],
  ...variables.flatMap((name) => templates.map((template) => template.replace('NAME', name))),
];

const decoded = 'key the HMAC with the unmodified characters of the secret';

export const secretMistakes: readonly SigningMistake[] = ofPart('key', {
  'key-id-as-secret': {
    description: 'with the key ID instead of the secret',
    advice: 'key the HMAC with the secret; the key ID goes only into X-API-Key',
    forms: (_key, { keyId }) => (keyId === undefined ? [] : [toBytes(keyId)]),
  },
  'secret-newline': {
    description: 'with a newline after the secret',
    advice: 'strip the newline from the secret where it is read',
    forms: (key) => [`${key}\n`, `${key}\r\n`],
  },
  'secret-unset': {
    description: 'with an empty secret, or with the name of an unset variable',
    advice: 'check that the variable with the secret is set where the client runs, and stop if it is empty',
    forms: () => unsetSecrets,
  },
  'secret-quoted': {
    description: 'with quotes or spaces around the secret',
    advice: 'read the secret without quotes and spaces: some programs keep the quotes of a .env file',
    isAlone: true,
    forms: (key) => [`"${key}"`, `'${key}'`, ` ${key}`, `${key} `, `${toBytes('\ufeff')}${key}`],
  },
  'secret-hex': {
    description: 'with the secret decoded as hexadecimal',
    advice: decoded,
    forms: (key) => (/^(?:[0-9a-f]{2})+$/i.test(key) ? [Buffer.from(key, 'hex').toString('latin1')] : []),
  },
  'secret-base64': {
    description: 'with the secret decoded as base64',
    advice: decoded,
    forms: (key) => (/^[\w+/-]{2,}={0,2}$/.test(key) ? [Buffer.from(key, 'base64').toString('latin1')] : []),
  },
});

/** Mistakes in computing the HMAC. */
export const algorithmMistakes: readonly SigningMistake[] = [
  ...ofPart('keyed', {
    'no-key': {
      description: 'with a plain SHA-256 hash instead of an HMAC',
      advice: 'use HMAC-SHA256, keyed with the secret: openssl dgst -sha256 -hmac, not openssl dgst -sha256',
      isAlone: true,
      forms: () => ['hash', 'secret first', 'secret last'],
    },
    'key-and-message-swapped': {
      description: 'with the secret as the message, and the canonical string as the key',
      advice: "give the HMAC the secret as its key: PHP's hash_hmac takes it last, Python's hmac.new first",
      isAlone: true,
      forms: () => ['swapped'],
    },
  }),
  ...ofPart('algorithm', { sha1: otherSha('sha1'), sha512: otherSha('sha512') }),
];

function otherSha(name: string) {
  const description = `with SHA-${name.slice(3)} instead of SHA-256`;
  return { description, advice: 'use HMAC-SHA256', forms: () => [name] };
}
