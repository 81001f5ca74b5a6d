import { isResource, type Resource } from '../../api/resources/resource.js';
import { shorten } from '../exchange/json-body.js';
import { pickField } from './fields.js';
import type { ListForms, SentBack } from './forms.js';
import type { NextPage } from './page.js';

/** Address of a list: origin, path of the base URL, and path and query below the base URL. */
export interface AskedPage {
  readonly origin: string;
  readonly prefix: string;
  readonly target: string;
}

/** The next page, or why it is not requested. */
export type NamedNext = { readonly next: NextPage } | { readonly refused: string };

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

export function headerValues(headers: Headers, name: string): string[] {
  return [headers[name] ?? []].flat();
}

/** Number of items before a page, and in the whole list, by `Content-Range: items 0-19/45`. */
export function readRange(headers: Headers): { readonly before?: number; readonly total?: number } {
  const [range = ''] = headerValues(headers, 'content-range');
  const [, unit, first, total] = /^([\w-]+) (\d{1,15})-\d+\/(\d{1,15}|\*)$/.exec(range.trim()) ?? [];
  if (unit === undefined || unit === 'bytes') return {};
  return { before: Number(first), ...(total !== '*' && { total: Number(total) }) };
}

/** Addresses in a `Link` header, by relation (RFC 8288, section 3). */
export function readLinks(headers: Headers): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const value of headerValues(headers, 'link')) {
    for (const [, address = '', parameters = ''] of value.matchAll(/<([^<>]*)>((?:[^,"]|"[^"]*")*)/g)) {
      const [, quoted, plain] = /;\s*rel\s*=\s*(?:"([^"]*)"|([\w-]+))/i.exec(parameters) ?? [];
      for (const relation of (quoted ?? plain ?? '').toLowerCase().split(/\s+/)) {
        if (!found.has(relation)) found.set(relation, address);
      }
    }
  }
  return found;
}

/** The next page at an address; refused outside the list's own origin and path. */
export function resolveNext(address: string, asked: AskedPage): NamedNext {
  const own = asked.target.replace(/[?#].*$/s, '');
  const url = parseAddress(address, `${asked.origin}${asked.prefix}${asked.target}`);
  if (url === undefined) return { refused: 'at an invalid address' };
  if (url.origin !== asked.origin) {
    return {
      refused: `at another origin, which orgctl does not call: ${shorten(url.origin, 200)}`,
    };
  }
  const whole = `${asked.prefix}${own}`;
  // Behind a proxy, the service may link to itself under another base path.
  if (url.pathname === whole || url.pathname.endsWith(own))
    return { next: { target: `${own}${url.search}` } };
  if (url.pathname.startsWith(`${whole}/`)) {
    return { next: { target: `${url.pathname.slice(asked.prefix.length)}${url.search}` } };
  }
  return { refused: `at another path, which orgctl does not call: ${shorten(url.pathname, 200)}` };
}

function parseAddress(address: string, base: string): URL | undefined {
  return URL.canParse(address, base) ? new URL(address, base) : undefined;
}

/** The next page by a response's fields; `ends` if they say that there is none. */
export function readNextField(
  holders: readonly Resource[],
  { cursor, next }: ListForms,
  asked: AskedPage,
  isCounted: boolean,
): NamedNext | 'ends' | undefined {
  let ends = false;
  for (const holder of holders) {
    for (const name of [...cursor, ...next]) {
      if (!Object.hasOwn(holder, name.field) || (name.isWeak && isCounted)) continue;
      const value = addressIn(holder[name.field]);
      if (value === null || value === '' || value === false) ends ||= !name.isWeak;
      else if (typeof value === 'number') return { next: numberNext(name, value) };
      else if (typeof value === 'string') {
        const isAddress = (next.includes(name) ? /^(?:https?:\/\/|[/?])/i : /^https?:\/\//i).test(value);
        return isAddress ? resolveNext(value, asked) : { next: { parameter: name.parameter, value } };
      }
    }
  }
  return ends ? 'ends' : undefined;
}

function addressIn(value: unknown): unknown {
  return isResource(value) ? (pickField(value, 'href') ?? pickField(value, 'url')) : value;
}

/** A number in `next` is a page number; in any other field, the value of that field's parameter. */
function numberNext({ field, parameter }: SentBack, value: number): NextPage {
  return { parameter: field === 'next' ? 'page' : parameter, value: String(value) };
}
