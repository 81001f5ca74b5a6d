import { type SigningAttempt, type SigningMistake, withTargets } from '../attempt/signing-attempt.js';
import { spellingMistakes } from './target-spellings.js';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export const targetMistakes: readonly SigningMistake[] = [
  {
    id: 'lower-case-method',
    aspect: 'method',
    description: 'over the method in lower case',
    advice: 'sign the method in upper case',
    reproduce: (right) => [{ ...right, method: right.method.toLowerCase() }],
  },
  {
    id: 'other-method',
    aspect: 'method',
    description: 'over a method other than the one sent',
    advice: 'sign the method that is sent: curl sends POST with -d, and GET after some redirects',
    isAlone: true,
    reproduce: (right) =>
      methods.filter((method) => method !== right.method).map((method) => ({ ...right, method })),
  },
  {
    id: 'query-missing',
    aspect: 'query',
    description: 'without the query string',
    clause: 'the query string was not signed',
    advice: 'sign the path plus ?query, exactly as sent',
    reproduce: withoutQuery,
  },
  {
    id: 'query-decoded',
    aspect: 'escapes',
    description: 'over the decoded path and query',
    advice: 'sign path and query as on the request line, percent-encoding and all',
    reproduce: decodedTargets,
  },
  {
    id: 'base-path-missing',
    aspect: 'path',
    description: "over the path without its beginning, such as the base URL's path",
    advice: "sign the whole path of the request line, including the base URL's path",
    isAnyFormLikely: true,
    reproduce: withoutBasePath,
  },
  {
    id: 'full-url',
    aspect: 'origin',
    description: 'over the full URL instead of the path and query',
    advice: 'sign only path and query, without scheme and host',
    reproduce: (right, { origin }) =>
      origin === undefined
        ? []
        : [origin, origin.replace(/^\w+:\/\//, '')].map((start) => ({
            ...right,
            target: Buffer.concat([Buffer.from(start), right.target]),
          })),
  },
  ...spellingMistakes,
];

function withoutQuery(right: SigningAttempt): SigningAttempt[] {
  const mark = right.target.indexOf('?');
  return mark === -1 ? [] : [{ ...right, target: right.target.subarray(0, mark) }];
}

/** The decoded target, or only its query decoded; `+` stays, or becomes a space as in forms. */
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
  return withTargets(right, targets);
}

function decodeLatin1(latin1: string): string {
  return latin1.replace(/%[0-9a-f]{2}/gi, (byte) => String.fromCharCode(Number.parseInt(byte.slice(1), 16)));
}

const maxSegments = 4;

function withoutBasePath(right: SigningAttempt): SigningAttempt[] {
  const query = right.target.indexOf('?');
  const path = right.target.subarray(0, query === -1 ? undefined : query);
  const attempts: SigningAttempt[] = [];
  let slash = path.indexOf('/', 1);
  while (slash !== -1 && attempts.length < maxSegments) {
    attempts.push({ ...right, target: right.target.subarray(slash) });
    slash = path.indexOf('/', slash + 1);
  }
  return attempts;
}
