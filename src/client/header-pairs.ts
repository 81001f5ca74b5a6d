import type { Dispatcher } from 'undici';

export type HeaderPair = readonly [name: string, value: string];

/**
 * The headers of a request, in whichever form undici takes them, as pairs; repeated ones stay apart.
 *
 * @throws TypeError for what is neither an object of headers, pairs, nor a flat list of names and values
 */
export function headerPairs(headers: Dispatcher.DispatchOptions['headers']): HeaderPair[] {
  if (headers === undefined || headers === null) return [];
  const entries = isFlat(headers) ? pairUp(headers) : entriesOf(headers);
  return entries.flatMap(([name, value]) => [value ?? []].flat().map((one): HeaderPair => [name, one]));
}

type Entry = readonly [string, string | string[] | undefined];

function isFlat(headers: unknown): headers is string[] {
  return Array.isArray(headers) && typeof headers[0] === 'string';
}

function pairUp(flat: readonly string[]): Entry[] {
  if (flat.length % 2 !== 0) throw new TypeError('a flat list of headers has a value for each name');
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1]] satisfies Entry] : []));
}

function entriesOf(headers: NonNullable<Dispatcher.DispatchOptions['headers']>): Entry[] {
  if (!(Symbol.iterator in headers)) return Object.entries(headers);
  return [...headers].map((entry) => {
    if (Array.isArray(entry) && entry.length === 2) return entry;
    throw new TypeError('headers that are iterable hold pairs of name and value');
  });
}
