/** `Via` of whatever passes (RFC 9110, section 7.6.3). */
export const via = ['Via', '1.1 orgctl'] as const;

/** Gives the right to be signed for; never sent on. */
export const tokenHeader = 'X-Orgctl-Proxy-Token';

/** For the next hop alone (RFC 9110, section 7.6.1). `Transfer-Encoding` is checked and kept. */
const hopByHop = ['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade'];
const ofRequest = ['proxy-authorization', tokenHeader.toLowerCase()];

/** `Connection` may not name these: without them a request has another meaning, or its body another end. */
const framing = new Set(['content-length', 'transfer-encoding', 'trailer', 'host', 'expect']);

/** A flat list of names and values, as Node has raw headers. */
export type RawHeaders = readonly string[];

/** The values of a header, named in lower case. */
export function findValues(headers: RawHeaders, wanted: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (name.length === wanted.length && name.toLowerCase() === wanted) values.push(headers[at + 1] ?? '');
  }
  return values;
}

/** Headers without those that are named in lower case; order, case and duplicates stay. */
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
  const kept = dropHeaders(headers, new Set([...findHopByHop(headers), ...ofRequest]));
  const at = kept.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  kept[at + 1] = host;
  kept.push(...via);
  return kept;
}

/** A response's headers for the client. @param hasFraming false where the response has no body, or may not be chunked */
export function toClientHeaders(headers: RawHeaders, hasFraming: boolean): string[] {
  const dropped = findHopByHop(headers);
  if (!hasFraming) dropped.add('transfer-encoding');
  return [...dropHeaders(headers, dropped), ...via];
}

/** Headers of a request whose body the service need not allow any more. */
export function dropExpect(headers: readonly string[]): string[] {
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'expect');
  return at === -1 ? [...headers] : headers.toSpliced(at, 2);
}

/** Trailers as pairs; without what only heads may have. */
export function toTrailers(trailers: RawHeaders): [name: string, value: string][] {
  const dropped = new Set([...hopByHop, ...framing, tokenHeader.toLowerCase()]);
  const kept = dropHeaders(trailers, dropped);
  return kept.flatMap((name, at) => (at % 2 === 0 ? [[name, kept[at + 1] ?? ''] as [string, string]] : []));
}

function findHopByHop(headers: RawHeaders): Set<string> {
  const dropped = new Set(hopByHop);
  for (const value of findValues(headers, 'connection')) {
    for (const named of value.toLowerCase().split(',')) {
      const name = named.trim();
      if (!framing.has(name)) dropped.add(name);
    }
  }
  return dropped;
}
