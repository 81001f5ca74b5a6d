import { bodyMistakes } from './body-mistakes.js';
import type { SigningAttempt, SigningMistake } from './signing-attempt.js';

/** Mistakes about method, target and content type. */
const requestMistakes: readonly SigningMistake[] = [
  {
    id: 'query-missing',
    description: 'over the path without its query',
    reproduce: withoutQuery,
  },
  {
    id: 'full-url',
    description: 'over the full URL instead of the path and query',
    reproduce: (right, { origin }) =>
      origin === undefined ? [] : [{ ...right, target: Buffer.concat([Buffer.from(origin), right.target]) }],
  },
  {
    id: 'lower-case-method',
    description: 'over the method in lower case',
    reproduce: (right) => [{ ...right, method: right.method.toLowerCase() }],
  },
  {
    id: 'content-type-missing',
    description: 'without the content type',
    reproduce: (right) => otherContentTypes(right, ['']),
  },
  {
    id: 'charset',
    description: 'over the content type with another charset than was sent, or without one',
    reproduce: (right) => otherContentTypes(right, charsetsOf(right.contentType)),
  },
  {
    id: 'content-type-not-sent',
    description: 'over the content type application/json, which was not sent',
    reproduce: (right) => (right.body.byteLength === 0 ? [] : otherContentTypes(right, jsonTypes)),
  },
  {
    id: 'content-type-without-body',
    description: 'over a content type, although there is no body',
    reproduce: (right, { contentType }) =>
      right.body.byteLength === 0 ? otherContentTypes(right, [contentType, ...jsonTypes]) : [],
  },
];

function withoutQuery(right: SigningAttempt): SigningAttempt[] {
  const mark = right.target.indexOf('?');
  return mark === -1 ? [] : [{ ...right, target: right.target.subarray(0, mark) }];
}

const charsets = ['', '; charset=utf-8', ';charset=utf-8', '; charset=UTF-8', ';charset=UTF-8'];
const jsonTypes = charsetsOf('application/json');

function charsetsOf(contentType: string): string[] {
  const mediaType = contentType.split(';', 1).join('').trim();
  return mediaType === '' ? [] : charsets.map((charset) => `${mediaType}${charset}`);
}

function otherContentTypes(right: SigningAttempt, contentTypes: readonly string[]): SigningAttempt[] {
  return contentTypes
    .filter((contentType) => contentType !== right.contentType)
    .map((contentType) => ({ ...right, contentType }));
}

/** Mistakes about the HMAC's key and hash. */
const keyMistakes: readonly SigningMistake[] = [
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

/** The one mistake about the timestamp; apart, because it takes a thousand attempts. */
const timestampMistake: SigningMistake = {
  id: 'milliseconds',
  description: 'over a timestamp in milliseconds',
  reproduce: milliseconds,
};

/** Bodies over this size are tried with whole seconds alone: each attempt hashes the body. */
const fewBytes = 4096;

/** The moment within the second was not sent, so all thousand are tried; or milliseconds were both sent and signed. */
function* milliseconds(right: SigningAttempt): Iterable<SigningAttempt> {
  const { timestamp } = right;
  if (/^\d{13,}$/.test(timestamp)) {
    yield right;
    yield { ...right, timestamp: timestamp.slice(0, -3) };
    return;
  }
  const tries = right.body.byteLength > fewBytes ? 1 : 1000;
  for (let moment = 0; moment < tries; moment += 1) {
    yield { ...right, timestamp: `${timestamp}${String(moment).padStart(3, '0')}` };
  }
}

/** Every mistake about what is signed, in the order in which they are tried. */
export const signingMistakes: readonly SigningMistake[] = [
  ...requestMistakes,
  ...bodyMistakes,
  ...keyMistakes,
  timestampMistake,
];
