import { type SigningAttempt, type SigningMistake, withTargets } from '../attempt/signing-attempt.js';
import { permutations } from './permutations.js';

export const spellingMistakes: readonly SigningMistake[] = [
  {
    id: 'query-sorted',
    aspect: 'query',
    description: 'over the query with its parameters in another order',
    advice: 'sign the parameters in the order in which they are sent; do not sort them',
    reproduce: (right) => withTargets(right, listOrders(right)),
  },
  {
    id: 'plus-for-space',
    aspect: 'query',
    description: 'over the query with + where %20 was sent, or %20 where + was sent',
    advice: 'encode the query once, then sign and send the same text; form encoders write a space as +',
    isAlone: true,
    reproduce: (right) =>
      mapQuery(right, (query) => [
        query.replaceAll('%20', '+'),
        query.replaceAll('+', '%20'),
        query.replaceAll('+', '%2B'),
      ]),
  },
  {
    id: 'percent-encoding',
    aspect: 'query',
    description: 'over a path or query with a percent-encoding other than the one sent',
    advice: 'encode path and query once, then sign and send the same text',
    isAlone: true,
    reproduce: (right) => withTargets(right, listEncodings(right.target.toString('latin1'))),
  },
  {
    id: 'trailing-slash',
    aspect: 'trailing slash',
    description: 'over the path with a trailing slash added or removed',
    advice: 'sign the path as on the request line, to its last character',
    reproduce: (right) => mapPath(right, (path) => [path.endsWith('/') ? path.slice(0, -1) : `${path}/`]),
  },
  {
    id: 'leading-slash-missing',
    aspect: 'path',
    description: 'over the path without its leading slash',
    advice: 'sign the path with its leading slash',
    isAlone: true,
    reproduce: (right) => mapPath(right, (path) => [path.slice(1)]),
  },
  {
    id: 'double-slash',
    aspect: 'path',
    description: 'over a path with // where / was sent, or / where // was sent',
    advice: 'join base URL and path with one slash, then sign the path of the URL that is sent',
    isAlone: true,
    reproduce: (right) => mapPath(right, (path) => [`/${path}`, path.replaceAll('//', '/')]),
  },
  {
    id: 'question-mark',
    aspect: 'query',
    description: 'over a target with a ? added or removed',
    advice: 'put ? between path and query, and no ? if there is no query',
    isAlone: true,
    reproduce: (right) => {
      const target = right.target.toString('latin1');
      return withTargets(right, target.includes('?') ? [target.replace('?', '')] : [`${target}?`]);
    },
  },
];

function split(target: Buffer): [path: string, query: string] {
  const text = target.toString('latin1');
  const mark = text.indexOf('?');
  return mark === -1 ? [text, ''] : [text.slice(0, mark), text.slice(mark)];
}

function mapQuery(right: SigningAttempt, change: (query: string) => readonly string[]): SigningAttempt[] {
  const [path, query] = split(right.target);
  return withTargets(
    right,
    change(query).map((other) => `${path}${other}`),
  );
}

function mapPath(right: SigningAttempt, change: (path: string) => readonly string[]): SigningAttempt[] {
  const [path, query] = split(right.target);
  return withTargets(
    right,
    change(path).map((other) => `${other}${query}`),
  );
}

/** With more parameters, tries only sorting and reversing. */
const fewParameters = 4;

function listOrders({ target }: SigningAttempt): string[] {
  const [path, query] = split(target);
  const parameters = query.slice(1).split('&');
  if (parameters.length < 2) return [];
  const orders = [[...parameters].sort(), [...parameters].reverse()];
  const all = parameters.length > fewParameters ? [] : permutations(parameters);
  return [...orders, ...all].map((order) => `${path}?${order.join('&')}`);
}

/** Percent-encodings of programming languages (RFC 3986, section 6.2.2); also % itself encoded or decoded once more. */
function listEncodings(target: string): string[] {
  const mark = target.indexOf('?');
  const [path, query] = mark === -1 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
  const joined = (other: string) => (mark === -1 ? path : `${path}?${other}`);
  const hex = (change: (code: string) => string) => target.replace(/%[0-9a-f]{2}/gi, change);
  return [
    hex((code) => code.toLowerCase()),
    hex((code) => code.toUpperCase()),
    joined(query.replace(/[^%\w.~&=+-]/g, percentEncode)),
    joined(query.replace(/%(?:2[1789ACF]|3A|40|5B|5D)/gi, percentDecode)),
    joined(
      query.replace(/%[0-9A-F]{2}/gi, (code) =>
        /%(?:2C|2F|3A|40)/i.test(code) ? percentDecode(code) : code,
      ),
    ),
    target.replaceAll('%', '%25'),
    target.replaceAll('%25', '%'),
  ];
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function percentDecode(code: string): string {
  return String.fromCharCode(Number.parseInt(code.slice(1), 16));
}
