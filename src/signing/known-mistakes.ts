import type { SigningAttempt, SigningMistake } from './signing-attempt.js';

/** Mistakes about method, target and content type. */
export const requestMistakes: readonly SigningMistake[] = [
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
