import type { ExplainableRequest, SigningAttempt, SigningMistake } from './signing-attempt.js';

export const targetMistakes: readonly SigningMistake[] = [
  {
    id: 'lower-case-method',
    aspect: 'method',
    description: 'over the method in lower case',
    advice: 'sign the method in upper case',
    reproduce: (right) => [{ ...right, method: right.method.toLowerCase() }],
  },
  {
    id: 'query-missing',
    aspect: 'query',
    description: 'over the path without its query',
    advice: 'sign path, ? and query exactly as on the request line',
    reproduce: withoutQuery,
  },
  {
    id: 'query-decoded',
    aspect: 'query',
    description: 'over path and query decoded',
    advice: 'sign path and query as on the request line, percent-encoding and all',
    reproduce: decodedTargets,
  },
  {
    id: 'base-path-missing',
    aspect: 'path',
    description: "over the path without its beginning, such as the base URL's path",
    advice: "sign the whole path of the request line, the base URL's path included",
    reproduce: withoutBasePath,
  },
  {
    id: 'full-url',
    aspect: 'path',
    description: 'over the full URL instead of the path and query',
    advice: 'sign path and query alone, without scheme and host',
    reproduce: (right, { origin }) =>
      origin === undefined ? [] : [{ ...right, target: Buffer.concat([Buffer.from(origin), right.target]) }],
  },
];

function otherTargets(right: SigningAttempt, targets: readonly Buffer[]): SigningAttempt[] {
  return targets.filter((target) => !target.equals(right.target)).map((target) => ({ ...right, target }));
}

function withoutQuery(right: SigningAttempt): SigningAttempt[] {
  const mark = right.target.indexOf('?');
  return mark === -1 ? [] : [{ ...right, target: right.target.subarray(0, mark) }];
}

/** All of it, or only the query; `+` kept, or decoded to a space as in a form. */
function decodedTargets(right: SigningAttempt): SigningAttempt[] {
  const text = right.target.toString('latin1');
  const mark = text.search(/\?|$/);
  const [path, query] = [text.slice(0, mark), text.slice(mark)];
  const spaced = query.replaceAll('+', ' ');
  const decoded = [`${decodeLatin1(path)}${decodeLatin1(query)}`, `${path}${decodeLatin1(query)}`];
  const targets = [
    ...decoded,
    `${decodeLatin1(path)}${decodeLatin1(spaced)}`,
    `${path}${decodeLatin1(spaced)}`,
  ];
  return otherTargets(
    right,
    [...new Set(targets)].map((target) => Buffer.from(target, 'latin1')),
  );
}

function decodeLatin1(latin1: string): string {
  return latin1.replace(/%[0-9a-f]{2}/gi, (byte) => String.fromCharCode(Number.parseInt(byte.slice(1), 16)));
}

const mostSegments = 4;

function withoutBasePath(right: SigningAttempt): SigningAttempt[] {
  const query = right.target.indexOf('?');
  const path = right.target.subarray(0, query === -1 ? undefined : query);
  const attempts: SigningAttempt[] = [];
  let slash = path.indexOf('/', 1);
  while (slash !== -1 && attempts.length < mostSegments) {
    attempts.push({ ...right, target: right.target.subarray(slash) });
    slash = path.indexOf('/', slash + 1);
  }
  return attempts;
}

/** After the body's: without a body the content type is not signed. */
export const contentTypeMistakes: readonly SigningMistake[] = [
  {
    id: 'content-type-missing',
    aspect: 'content type',
    description: 'without the content type',
    advice: 'sign the value of Content-Type as the line before the body',
    reproduce: (right) => otherContentTypes(right, ['']),
  },
  {
    id: 'content-type-line-missing',
    aspect: 'content type',
    description: 'without the line of the content type',
    advice: 'sign five lines: the one before the body is the content type, and empty where there is none',
    reproduce: (right) => (right.body.byteLength === 0 ? [] : [{ ...right, contentType: undefined }]),
  },
  {
    id: 'charset',
    aspect: 'content type',
    description: 'over the content type with another charset than was sent, or without one',
    advice: 'sign the value of Content-Type exactly as it is sent; some HTTP libraries add a charset',
    reproduce: (right) => otherContentTypes(right, listCharsets(right.contentType ?? '')),
  },
  {
    id: 'content-type-not-sent',
    aspect: 'content type',
    description: 'over the content type application/json, which was not sent',
    advice: 'send Content-Type: application/json, or sign the value that is sent',
    reproduce: (right, { body }) => (body.byteLength === 0 ? [] : otherContentTypes(right, jsonTypes)),
  },
  {
    id: 'content-type-without-body',
    aspect: 'content type',
    description: 'over a content type, although there is no body',
    advice: 'leave the line of the content type empty when there is no body, even if the header is sent',
    reproduce: withoutBody,
  },
];

const charsets = ['', '; charset=utf-8', ';charset=utf-8', '; charset=UTF-8', ';charset=UTF-8'];
const jsonTypes = listCharsets('application/json');

function listCharsets(contentType: string): string[] {
  const mediaType = contentType.slice(0, contentType.search(/;|$/)).trim();
  return mediaType === '' ? [] : charsets.map((charset) => `${mediaType}${charset}`);
}

function otherContentTypes(right: SigningAttempt, contentTypes: readonly string[]): SigningAttempt[] {
  return contentTypes
    .filter((contentType) => contentType !== right.contentType)
    .map((contentType) => ({ ...right, contentType }));
}

function withoutBody(right: SigningAttempt, { contentType, body }: ExplainableRequest): SigningAttempt[] {
  return body.byteLength === 0 ? otherContentTypes(right, [contentType, ...jsonTypes]) : [];
}

/** The commonest mistake without a body, where the string ends in empty lines. */
export const endMistake: SigningMistake = {
  id: 'trailing-lines-lost',
  aspect: 'end',
  description: 'without the empty lines at the end',
  advice:
    'join all five values by line feeds, the empty ones too: $(…) in a shell cuts them off, and so does filter(Boolean)',
  reproduce: (right) => (right.body.byteLength > 0 ? [] : [2, 1].map((lost) => ({ ...right, lost }))),
};
