/** `Via` of forwarded messages (RFC 9110, section 7.6.3). */
export const via = ['Via', '1.1 orgctl'] as const;

/** The header with the token that permits signing; never forwarded. */
export const tokenHeader = 'X-Orgctl-Proxy-Token';

/** Alternating names and values, as in Node's `rawHeaders`. */
export type RawHeaders = readonly string[];

/** Headers that are not forwarded (RFC 9110, section 7.6.1); nor are trailers. */
const hopByHop = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade'];

/** Headers that the service does not get; Node itself answers `Expect`. */
const notForService = [
  ...hopByHop,
  'expect',
  'proxy-authorization',
  'proxy-authenticate',
  tokenHeader.toLowerCase(),
];

/** Headers that stay even if `Connection` names them: without them, a message has another length. */
const framing = new Set(['content-length', 'transfer-encoding']);

/** Methods of requests to which Node adds no framing if they have no body. */
const withoutFraming = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** @param wanted a name in lower case */
export function findValues(headers: RawHeaders, wanted: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (name.length === wanted.length && name.toLowerCase() === wanted) values.push(headers[at + 1] ?? '');
  }
  return values;
}

/** Values by names in lower case; repeated headers are joined. @param wanted names to keep; default: all */
export function toNamed(headers: RawHeaders, wanted?: readonly string[]): Record<string, string> {
  const named = new Map<string, string>();
  for (const [given, value] of toPairs(headers)) {
    const name = given.toLowerCase();
    const before = named.has(name) ? `${named.get(name)}, ` : '';
    if (wanted?.includes(name) !== false) named.set(name, before + value);
  }
  return Object.fromEntries(named);
}

export function toPairs(headers: RawHeaders): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < headers.length; at += 2) pairs.push([headers[at] ?? '', headers[at + 1] ?? '']);
  return pairs;
}

export function toServiceHeaders(method: string, headers: RawHeaders, host: string): string[] {
  const kept = dropHeaders(headers, notForService);
  kept[kept.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'host') + 1] = host;
  kept.push(...via);
  const isFramed = toPairs(kept).some(([name]) => framing.has(name.toLowerCase()));
  // Otherwise Node would send an empty chunked body, which services may treat as a body.
  return isFramed || withoutFraming.has(method) ? kept : [...kept, 'Content-Length', '0'];
}

/** @param isFramed false if the response has no body or must not be chunked */
export function toClientHeaders(headers: RawHeaders, isFramed: boolean): string[] {
  const dropped = isFramed ? hopByHop : [...hopByHop, 'transfer-encoding'];
  return [...dropHeaders(headers, dropped), ...via];
}

/** Drops headers by name, and those that `Connection` names; order and case of the others stay. */
function dropHeaders(headers: RawHeaders, dropped: readonly string[]): string[] {
  const named = findValues(headers, 'connection').flatMap((value) => value.toLowerCase().split(/[\s,]+/));
  const all = new Set([...dropped, ...named.filter((name) => name !== 'host' && !framing.has(name))]);
  return toPairs(headers)
    .filter(([name]) => !all.has(name.toLowerCase()))
    .flat();
}
