/** `Via` of forwarded messages (RFC 9110, section 7.6.3). */
export const via = ['Via', '1.1 orgctl'] as const;

/** The header with the token that permits signing; never forwarded. */
export const tokenHeader = 'X-Orgctl-Proxy-Token';

/** Not forwarded (RFC 9110, section 7.6.1). `Transfer-Encoding` is not among them: `admit.ts` checks it. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'upgrade',
]);
const ofRequest: ReadonlySet<string> = new Set([
  ...hopByHop,
  'proxy-authorization',
  tokenHeader.toLowerCase(),
]);
const unframed: ReadonlySet<string> = new Set([...hopByHop, 'transfer-encoding']);

/** Headers that stay even if `Connection` names them: without them, a message has another meaning or length. */
const framing = new Set(['content-length', 'transfer-encoding', 'trailer', 'host', 'expect']);

const outsideTrailers: ReadonlySet<string> = new Set([...hopByHop, ...framing, tokenHeader.toLowerCase()]);

/** Alternating names and values, as in Node's `rawHeaders`. */
export type RawHeaders = readonly string[];

export function findValues(headers: RawHeaders, wanted: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (name.length === wanted.length && name.toLowerCase() === wanted) values.push(headers[at + 1] ?? '');
  }
  return values;
}

/** By names in lower case; repeated headers are joined as lists. */
export function toNamed(headers: RawHeaders): Record<string, string> {
  const named: Record<string, string> = {};
  for (let at = 0; at < headers.length; at += 2) {
    const name = (headers[at] ?? '').toLowerCase();
    const value = headers[at + 1] ?? '';
    const before = Object.hasOwn(named, name) ? named[name] : undefined;
    named[name] = before === undefined ? value : `${before}, ${value}`;
  }
  return named;
}

/** Drops headers by their names in lower case; order, case and duplicates of the others stay. */
function dropHeaders(headers: RawHeaders, dropped: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (!dropped.has(name.toLowerCase())) kept.push(name, headers[at + 1] ?? '');
  }
  return kept;
}

/** A request's headers for the service. @param host the service's authority */
export function toServiceHeaders(headers: RawHeaders, host: string): string[] {
  const kept = dropHeaders(headers, withNamed(ofRequest, headers));
  const at = kept.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (at === -1) kept.unshift('Host', host);
  else kept[at + 1] = host;
  kept.push(...via);
  return kept;
}

/** A response's headers for the client. @param hasFraming false if the response has no body or must not be chunked */
export function toClientHeaders(headers: RawHeaders, hasFraming: boolean): string[] {
  const kept = dropHeaders(headers, withNamed(hasFraming ? hopByHop : unframed, headers));
  kept.push(...via);
  return kept;
}

/** Headers without `Expect`, because the proxy already has the whole body. */
export function dropExpect(headers: readonly string[]): string[] {
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'expect');
  return at === -1 ? [...headers] : headers.toSpliced(at, 2);
}

/** Trailers as pairs, without fields that belong only in headers. */
export function toTrailers(trailers: RawHeaders): [name: string, value: string][] {
  const kept = dropHeaders(trailers, outsideTrailers);
  return kept.flatMap((name, at) => (at % 2 === 0 ? [[name, kept[at + 1] ?? ''] as [string, string]] : []));
}

/** Whether the service closes the connection after its response; the client's connection is then closed, too. */
export function asksToClose(headers: RawHeaders): boolean {
  return findValues(headers, 'connection').some((value) => /^\s*close\s*$/i.test(value));
}

/** The dropped names, and the names that `Connection` lists, except framing. */
function withNamed(dropped: ReadonlySet<string>, headers: RawHeaders): ReadonlySet<string> {
  const named = findValues(headers, 'connection')
    .flatMap((value) => value.toLowerCase().split(','))
    .map((name) => name.trim());
  const others = named.filter((name) => !framing.has(name) && name !== 'close' && name !== 'keep-alive');
  return others.length === 0 ? dropped : new Set([...dropped, ...others]);
}
