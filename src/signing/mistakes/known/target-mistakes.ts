import { about, type SigningMistake } from '../mistake.js';
import type { Signed } from '../signed.js';
import { permutations } from './permutations.js';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Method, path and query. */
export const targetMistakes: readonly SigningMistake[] = [
  ...about('method', [
    {
      id: 'lower-case-method',
      description: 'over the method in lower case',
      advice: 'sign the method in upper case',
      forms: ({ method }) => [{ method: method.toLowerCase() }],
    },
    {
      id: 'capitalized-method',
      description: 'over the method with only its first letter in upper case',
      advice: 'sign the method in upper case',
      isAlone: true,
      forms: ({ method }) => [{ method: `${method.slice(0, 1)}${method.slice(1).toLowerCase()}` }],
    },
    {
      id: 'other-method',
      description: 'over a method other than the one sent',
      advice: 'sign the method that is sent: curl sends POST with -d, and GET after some redirects',
      isAlone: true,
      forms: () => methods.map((method) => ({ method })),
    },
  ]),
  ...about('query', [
    {
      id: 'query-missing',
      description: 'without the query string',
      clause: 'the query string was not signed',
      advice: 'sign the path plus ?query, exactly as sent',
      forms: mapTarget((path) => [path]),
    },
  ]),
  ...about('escapes', [
    {
      id: 'query-decoded',
      description: 'over the decoded path and query',
      advice: 'sign path and query as on the request line, percent-encoding and all',
      forms: mapTarget((path, query) => {
        const queries = [query, query.replaceAll('+', ' ')].map(percentDecode);
        return queries.flatMap((decoded) => [`${percentDecode(path)}${decoded}`, `${path}${decoded}`]);
      }),
    },
  ]),
  ...about('path', [
    {
      id: 'base-path-missing',
      description: "over the path without its beginning, such as the base URL's path",
      advice: "sign the whole path of the request line, including the base URL's path",
      forms: mapTarget((path, query) => listEnds(path).map((end) => `${end}${query}`)),
    },
    {
      id: 'prefix-stripped',
      description: 'over a path with a prefix that did not arrive, such as one that a gateway strips',
      advice: 'sign the path that the service receives, or let the gateway pass the whole path on',
      isAlone: true,
      forms: ({ target }) => prefixes.map((prefix) => ({ target: `${prefix}${target}` })),
    },
    {
      id: 'double-slash',
      description: 'over a path with // where / was sent, or / where // was sent',
      advice: 'join base URL and path with one slash, then sign the path of the URL that is sent',
      isAlone: true,
      forms: mapTarget((path, query) => [`/${path}${query}`, `${path.replaceAll('//', '/')}${query}`]),
    },
  ]),
  ...about('origin', [
    {
      id: 'full-url',
      description: 'over the full URL instead of the path and query',
      advice: 'sign only path and query, without scheme and host',
      forms: ({ target }, { origin }) =>
        origin === undefined
          ? []
          : [origin, origin.replace(/^\w+:\/\//, '')].map((start) => ({ target: `${start}${target}` })),
    },
  ]),
  ...about('query', [
    {
      id: 'query-sorted',
      description: 'over the query with its parameters in another order',
      advice: 'sign the parameters in the order in which they are sent; do not sort them',
      forms: mapParameters(listOrders),
    },
    {
      id: 'parameters-joined',
      description: 'over a query with its repeated parameters joined, or with only one of them',
      advice: 'sign every parameter as often as it is sent: ?id=1&id=2, not ?id=1,2',
      isAlone: true,
      forms: mapParameters(listJoined),
    },
    {
      id: 'percent-encoding',
      description: 'over a path or query with an encoding other than the one sent, such as + for %20',
      advice:
        'encode path and query once, then sign and send the same text; form encoders write a space as +',
      isAlone: true,
      forms: mapTarget(listEncodings),
    },
    {
      id: 'question-mark',
      description: 'over a target with a ? or an = that was not sent, or without one that was sent',
      advice: 'sign the target as it is sent: /a? is not /a, and ?a= is not ?a',
      isAlone: true,
      forms: mapTarget((path, query) => [
        query === '' ? `${path}?` : `${path}${query.slice(1)}`,
        `${path}${query.replace(/([?&][^=&]+)(?=&|$)/g, '$1=')}`,
        `${path}${query.replace(/=(?=&|$)/g, '')}`,
      ]),
    },
  ]),
  ...about('trailing slash', [
    {
      id: 'trailing-slash',
      description: 'over the path with a trailing slash added or removed',
      advice: 'sign the path as on the request line, to its last character',
      forms: mapTarget((path, query) => [`${path.endsWith('/') ? path.slice(0, -1) : `${path}/`}${query}`]),
    },
  ]),
];

const versions = ['/v1', '/v2', '/v3'];
const prefixes = [
  '/api',
  '/rest',
  '/gateway',
  '/prod',
  '/dev',
  ...versions,
  ...versions.map((one) => `/api${one}`),
];

/** @param change makes other targets of the path and of the query with its question mark */
function mapTarget(change: (path: string, query: string) => readonly string[]) {
  return ({ target }: Signed): Partial<Signed>[] => {
    const mark = target.search(/\?|$/);
    return [...new Set(change(target.slice(0, mark), target.slice(mark)))].map((other) => ({
      target: other,
    }));
  };
}

function mapParameters(change: (parameters: readonly string[]) => readonly (readonly string[])[]) {
  return mapTarget((path, query) =>
    change(query.slice(1).split('&')).map((parameters) => `${path}?${parameters.join('&')}`),
  );
}

const maxSegments = 4;

/** The path from its second, third … segment on. */
function listEnds(path: string): string[] {
  const slashes = [...path.matchAll(/(?<!^)\//g)].slice(0, maxSegments);
  return slashes.map(({ index }) => path.slice(index));
}

/** With more parameters, tries only sorting and reversing. */
const fewParameters = 4;

function listOrders(parameters: readonly string[]): string[][] {
  if (parameters.length < 2) return [];
  const all = parameters.length > fewParameters ? [] : permutations(parameters);
  return [[...parameters].sort(), [...parameters].reverse(), ...all];
}

function listJoined(parameters: readonly string[]): string[][] {
  const values = new Map<string, string[]>();
  for (const parameter of parameters) {
    const [name = '', ...rest] = parameter.split('=');
    values.set(name, [...(values.get(name) ?? []), rest.join('=')]);
  }
  if (values.size === parameters.length) return [];
  const ways = [
    ...[',', '%2C', ' '].map((comma) => (all: readonly string[]) => all.join(comma)),
    (all: readonly string[]) => all[0] ?? '',
    (all: readonly string[]) => all.at(-1) ?? '',
  ];
  return ways.map((join) => [...values].map(([name, all]) => `${name}=${join(all)}`));
}

/** Percent-encodings of programming languages (RFC 3986, section 6.2.2); also % itself encoded or decoded once more. */
function listEncodings(path: string, query: string): string[] {
  const target = `${path}${query}`;
  const mapQuery = (signs: RegExp, change: (sign: string) => string) =>
    `${path}${query.slice(0, 1)}${query.slice(1).replace(signs, change)}`;
  return [
    mapQuery(/%20/g, () => '+'),
    mapQuery(/\+/g, () => '%20'),
    mapQuery(/\+/g, () => '%2B'),
    target.replace(/%[0-9a-f]{2}/gi, (code) => code.toLowerCase()),
    target.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase()),
    mapQuery(/[^%\w.~&=+-]/g, percentEncode),
    mapQuery(/%(?:2[1789ACF]|3A|40|5B|5D)/gi, percentDecode),
    mapQuery(/%(?:2C|2F|3A|40)/gi, percentDecode),
    target.replaceAll('%', '%25'),
    target.replaceAll('%25', '%'),
  ];
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function percentDecode(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
}
