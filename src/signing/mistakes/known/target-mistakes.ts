import { aboutPart, type SigningMistake } from '../mistake.js';
import { permutations } from './permutations.js';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const prefixes = ['/api', '/v1', '/v2', '/api/v1', '/api/v2', '/rest', '/gateway', '/prod', '/dev'];

/** Method, path and query. */
export const targetMistakes: readonly SigningMistake[] = [
  ...aboutPart('method', 'method', [
    {
      id: 'lower-case-method',
      description: 'over the method in lower case',
      advice: 'sign the method in upper case',
      forms: (method) => [method.toLowerCase()],
    },
    {
      id: 'capitalized-method',
      description: 'over the method with only its first letter in upper case',
      advice: 'sign the method in upper case',
      isAlone: true,
      forms: (method) => [`${method.slice(0, 1)}${method.slice(1).toLowerCase()}`],
    },
    {
      id: 'other-method',
      description: 'over a method other than the one sent',
      advice: 'sign the method that is sent: curl sends POST with -d, and GET after some redirects',
      isAlone: true,
      forms: () => methods,
    },
  ]),
  ...aboutPart('query', 'target', [
    {
      id: 'query-missing',
      description: 'without the query string',
      clause: 'the query string was not signed',
      advice: 'sign the path plus ?query, exactly as sent',
      forms: (target) => [mapQuery(target, () => '')],
    },
  ]),
  ...aboutPart('escapes', 'target', [
    {
      id: 'query-decoded',
      description: 'over the decoded path and query',
      advice: 'sign path and query as on the request line, percent-encoding and all',
      forms: (target) => {
        const spaced = mapQuery(target, (query) => query.replaceAll('+', ' '));
        return [target, spaced].flatMap((one) => [percentDecode(one), mapQuery(one, percentDecode)]);
      },
    },
  ]),
  ...aboutPart('path', 'target', [
    {
      id: 'base-path-missing',
      description: "over the path without its beginning, such as the base URL's path",
      advice: "sign the whole path of the request line, including the base URL's path",
      forms: (target) => {
        const slashes = mapQuery(target, () => '').matchAll(/(?<!^)\//g);
        return [...slashes].slice(0, maxSegments).map(({ index }) => target.slice(index));
      },
    },
    {
      id: 'prefix-stripped',
      description: 'over a path with a prefix that did not arrive, such as one that a gateway strips',
      advice: 'sign the path that the service receives, or let the gateway pass the whole path on',
      isAlone: true,
      forms: (target) => prefixes.map((prefix) => `${prefix}${target}`),
    },
    {
      id: 'double-slash',
      description: 'over a path with // where / was sent, or / where // was sent',
      advice: 'join base URL and path with one slash, then sign the path of the URL that is sent',
      isAlone: true,
      forms: (target) => [`/${target}`, target.replace(/^[^?]*/, (path) => path.replaceAll('//', '/'))],
    },
  ]),
  ...aboutPart('origin', 'target', [
    {
      id: 'full-url',
      description: 'over the full URL instead of the path and query',
      advice: 'sign only path and query, without scheme and host',
      forms: (target, { origin }) =>
        origin === undefined ? [] : [`${origin}${target}`, `${origin.replace(/^\w+:\/\//, '')}${target}`],
    },
  ]),
  ...aboutPart('query', 'target', [
    {
      id: 'query-sorted',
      description: 'over the query with its parameters in another order',
      advice: 'sign the parameters in the order in which they are sent; do not sort them',
      forms: (target) => mapParameters(target, listOrders),
    },
    {
      id: 'parameters-joined',
      description: 'over a query with its repeated parameters joined, or with only one of them',
      advice: 'sign every parameter as often as it is sent: ?id=1&id=2, not ?id=1,2',
      isAlone: true,
      forms: (target) => mapParameters(target, listJoined),
    },
    {
      id: 'percent-encoding',
      description: 'over a path or query with an encoding other than the one sent, such as + for %20',
      advice: 'encode path and query once, then sign and send the same text; forms write a space as +',
      isAlone: true,
      forms: listEncodings,
    },
    {
      id: 'question-mark',
      description: 'over a target with a ? or an = that was not sent, or without one that was sent',
      advice: 'sign the target as it is sent: /a? is not /a, and ?a= is not ?a',
      isAlone: true,
      forms: (target) => [
        target.includes('?') ? target.replace('?', '') : `${target}?`,
        target.replace(/([?&][^=&?]+)(?=&|$)/g, '$1='),
        target.replace(/=(?=&|$)/g, ''),
      ],
    },
  ]),
  ...aboutPart('trailing slash', 'target', [
    {
      id: 'trailing-slash',
      description: 'over the path with a trailing slash added or removed',
      advice: 'sign the path as on the request line, to its last character',
      forms: (target) => [target.replace(/\/?(?=\?|$)/, (slash) => (slash === '' ? '/' : ''))],
    },
  ]),
];

const maxSegments = 4;

/** @param change makes another query of the query with its question mark */
function mapQuery(target: string, change: (query: string) => string): string {
  return target.replace(/\?.*$/s, change);
}

function mapParameters(target: string, change: (parameters: string[]) => string[][]): string[] {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  return change(query.split('&')).map((parameters) => `${path}?${parameters.join('&')}`);
}

/** Every order of a few parameters; of more, only sorted and reversed. */
function listOrders(parameters: string[]): string[][] {
  if (parameters.length < 2) return [];
  const all = parameters.length > 4 ? [] : permutations(parameters);
  return [parameters.toSorted(), parameters.toReversed(), ...all];
}

/** Repeated parameters in one, or only the first or last of them. */
function listJoined(parameters: string[]): string[][] {
  const values = new Map<string, string[]>();
  for (const [, name = '', value = ''] of parameters.map((one) => /^([^=]*)=?(.*)$/s.exec(one) ?? [])) {
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  if (values.size === parameters.length) return [];
  const written = (write: (all: string[]) => string | undefined) =>
    [...values].map(([name, all]) => `${name}=${write(all)}`);
  const joined = [',', '%2C', ' '].map((comma) => written((all) => all.join(comma)));
  return [...joined, written((all) => all[0]), written((all) => all.at(-1))];
}

/** Percent-encodings of programming languages (RFC 3986, section 6.2.2); also % itself encoded or decoded once more. */
function listEncodings(target: string): string[] {
  return [
    mapQuery(target, (query) => query.replaceAll('%20', '+')),
    mapQuery(target, (query) => query.replaceAll('+', '%20')),
    mapQuery(target, (query) => query.replaceAll('+', '%2B')),
    target.replace(/%[0-9a-f]{2}/gi, (code) => code.toLowerCase()),
    target.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase()),
    mapQuery(target, (query) => query.replace(/(?<!^)[^%\w.~&=+-]/g, percentEncode)),
    mapQuery(target, (query) => query.replace(/%(?:2[1789ACF]|3A|40|5B|5D)/gi, percentDecode)),
    mapQuery(target, (query) => query.replace(/%(?:2C|2F|3A|40)/gi, percentDecode)),
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
