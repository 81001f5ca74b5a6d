import { ofPart, type SigningMistake } from '../mistake.js';

const prefixes = ['/api', '/v1', '/v2', '/api/v1', '/api/v2', '/rest', '/gateway', '/prod', '/dev'];

/** Mistakes in method, path and query. */
export const targetMistakes: readonly SigningMistake[] = [
  ...ofPart('method', {
    'lower-case-method': {
      description: 'over the method in lower case, or with only its first letter in upper case',
      advice: 'sign the method in upper case',
      forms: (method) => [method.toLowerCase(), method.slice(0, 1) + method.slice(1).toLowerCase()],
    },
  }),
  ...ofPart('target', {
    'query-missing': {
      aspect: 'query',
      description: 'without the query string',
      clause: 'the query string was not signed',
      advice: 'sign the path plus ?query, exactly as sent',
      forms: (target) => [mapQuery(target, () => '')],
    },
    'query-decoded': {
      aspect: 'escapes',
      description: 'over the decoded path and query',
      advice: 'sign path and query as on the request line, percent-encoding and all',
      forms: (target) => {
        const spaced = mapQuery(target, (query) => query.replaceAll('+', ' '));
        return [target, spaced].flatMap((one) => [percentDecode(one), mapQuery(one, percentDecode)]);
      },
    },
    'base-path-missing': {
      aspect: 'path',
      description: "over the path without its beginning, such as the base URL's path",
      advice: "sign the whole path of the request line, including the base URL's path",
      forms: (target) => {
        const slashes = mapQuery(target, () => '').matchAll(/(?<!^)\//g);
        return [...slashes].slice(0, 4).map(({ index }) => target.slice(index));
      },
    },
    'prefix-stripped': {
      description: 'over a path with a prefix that did not arrive, such as one that a gateway strips',
      advice: 'sign the path that the service receives, or let the gateway pass the whole path on',
      isAlone: true,
      forms: (target) => prefixes.map((prefix) => `${prefix}${target}`),
    },
    'full-url': {
      aspect: 'origin',
      description: 'over the full URL instead of the path and query',
      advice: 'sign only path and query, without scheme and host',
      forms: (target, { origin = [] }) =>
        [origin].flat().flatMap((one) => [`${one}${target}`, `${one.replace(/^\w+:\/\//, '')}${target}`]),
    },
    'query-sorted': {
      aspect: 'query',
      description: 'over the query with its parameters in another order',
      advice: 'sign the parameters in the order in which they are sent; do not sort them',
      forms: (target) => mapParameters(target, (sent) => [sent.toSorted(), sent.toReversed()]),
    },
    'parameters-joined': {
      description: 'over a query with its repeated parameters joined, or with only one of them',
      advice: 'sign every parameter as often as it is sent: ?id=1&id=2, not ?id=1,2',
      isAlone: true,
      forms: (target) => mapParameters(target, listJoined),
    },
    'percent-encoding': {
      description: 'over a path or query with an encoding other than the one sent, such as + for %20',
      advice: 'encode path and query once, then sign and send the same text; forms write a space as +',
      isAlone: true,
      forms: (target) => [
        mapQuery(target, (query) => query.replaceAll('%20', '+')),
        mapQuery(target, (query) => query.replaceAll('+', '%20')),
        mapQuery(target, (query) => query.replaceAll('+', '%2B')),
        target.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase()),
      ],
    },
    'question-mark': {
      description: 'over a target with a ? or an = that was not sent, or without one that was sent',
      advice: 'sign the target as it is sent: /a? is not /a, and ?a= is not ?a',
      isAlone: true,
      forms: (target) => [
        target.includes('?') ? target.replace('?', '') : `${target}?`,
        target.replace(/([?&][^=&?]+)(?=&|$)/g, '$1='),
        target.replace(/=(?=&|$)/g, ''),
      ],
    },
    'trailing-slash': {
      aspect: 'trailing slash',
      description: 'over the path with a trailing slash added or removed',
      advice: 'sign the path as on the request line, to its last character',
      forms: (target) => [target.replace(/\/?(?=\?|$)/, (slash) => (slash === '' ? '/' : ''))],
    },
  }),
];

/** `change` gets the query with its question mark. */
function mapQuery(target: string, change: (query: string) => string): string {
  return target.replace(/\?.*$/s, change);
}

function mapParameters(target: string, change: (parameters: string[]) => string[][]): string[] {
  const [path = '', query] = target.split(/\?(.*)/s);
  if (query === undefined) return [];
  return change(query.split('&')).map((parameters) => `${path}?${parameters.join('&')}`);
}

/** Joins repeated parameters, or keeps only the last of them. */
function listJoined(parameters: string[]): string[][] {
  const values = new Map<string, string[]>();
  for (const [, name = '', value = ''] of parameters.map((one) => /^([^=]*)=?(.*)$/s.exec(one) ?? [])) {
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  if (values.size === parameters.length) return [];
  return [',', '%2C', '&'].map((comma) =>
    [...values].map(([name, all]) => `${name}=${comma === '&' ? all.at(-1) : all.join(comma)}`),
  );
}

function percentDecode(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
}
