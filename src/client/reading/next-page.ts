import { isResource, readId } from '../../api/resources/resource.js';
import { shorten } from '../exchange/exchange.js';
import { type Found, find, type ListForms, type Place, pickField } from './forms.js';
import type { Onward } from './page.js';

/** Address of a list: origin, path of the base URL, and path and query below the base URL. */
export interface AskedPage {
  readonly origin: string;
  readonly prefix: string;
  readonly target: string;
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Addresses in a `Link` header, by relation (RFC 8288, section 3). */
export function readLinks(headers: Headers): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const value of [headers['link'] ?? []].flat()) {
    for (const [, address = '', parameters = ''] of value.matchAll(/<([^<>]*)>((?:[^,"]|"[^"]*")*)/g)) {
      const [, quoted, plain] = /;\s*rel\s*=\s*(?:"([^"]*)"|([\w-]+))/i.exec(parameters) ?? [];
      for (const relation of (quoted ?? plain ?? '').toLowerCase().split(/\s+/)) {
        if (!found.has(relation)) found.set(relation, address);
      }
    }
  }
  return found;
}

/** The next page, why it is not requested, `more` if it is only announced, or `end`. */
export type Following = Pick<Onward, 'next' | 'refused'> | 'more' | 'end';

/** The next page at an address; refused outside the list's own origin and path. */
function resolveNext(address: string, { origin, prefix, target }: AskedPage): Following {
  const own = target.replace(/[?#].*$/s, '');
  const base = `${origin}${prefix}${target}`;
  if (!URL.canParse(address, base)) return { refused: 'at an invalid address' };
  const url = new URL(address, base);
  const refuse = (what: string, value: string): Following => ({
    refused: `at another ${what}, which orgctl does not call: ${shorten(value, 200)}`,
  });
  if (url.origin !== origin) return refuse('origin', url.origin);
  // Behind a proxy, the service may link to itself under another base path.
  if (!url.pathname.endsWith(own)) return refuse('path', url.pathname);
  return { next: { target: `${own}${url.search}` } };
}

/** Names that can mean other things: if empty, they end the list only if a dialect is pinned. */
const weakNames: ReadonlySet<string> = new Set(['cursor', 'after']);

/** The next page that a field names; if none does, an empty field is the end of the list. */
export function findNext(
  places: readonly Place[],
  { cursor, next, paging }: ListForms,
  asked: AskedPage,
): Found<Following> | undefined {
  const names = [...cursor.keys(), ...next.keys()];
  const read = (value: unknown, name: string): Following | undefined => {
    const said = isResource(value) ? (pickField(value, 'href') ?? pickField(value, 'url')) : value;
    const parameter = cursor.get(name) ?? next.get(name) ?? 'page';
    // A number in `next` is a page number.
    if (typeof said === 'number') {
      return { next: { parameter: name === 'next' ? 'page' : parameter, value: String(said) } };
    }
    if (typeof said !== 'string' || said === '') return undefined;
    const address = next.has(name) ? /^(?:https?:\/\/|[/?])/i : /^https?:\/\//i;
    return address.test(said) ? resolveNext(said, asked) : { next: { parameter, value: said } };
  };
  const isEnd = (value: unknown, name: string) =>
    [null, '', false].some((one) => one === value) && !(paging === 'any' && weakNames.has(name));
  return (
    find(places, names, read) ??
    find(places, names, (value, name) => (isEnd(value, name) ? ('end' as const) : undefined))
  );
}

interface Told {
  readonly headers: Headers;
  readonly asked: AskedPage;
  readonly next: Following | undefined;
  readonly more: boolean | undefined;
  readonly isNumbered: boolean;
}

/** What follows the page, judged by the whole response; `undefined` if that is unknown. */
export function chooseNext(
  data: readonly unknown[],
  { headers, asked, next, more, isNumbered }: Told,
  forms: ListForms,
): Following | undefined {
  const { paging } = forms;
  if (paging === 'none') return undefined;
  const links = paging === 'any' || paging === 'link' ? readLinks(headers) : new Map<string, string>();
  const link = links.get('next');
  if (link !== undefined) return resolveNext(link, asked);
  if (more === false) return 'end';
  if (next !== undefined && next !== 'end') return next;
  if (more) return isNumbered ? 'more' : readAfter(data, forms);
  // When paging by the last ID, an empty page ends the list.
  if (paging === 'after') return data.length === 0 ? 'end' : readAfter(data, forms);
  const isLast = ['first', 'prev', 'previous', 'last'].some((relation) => links.has(relation));
  return next ?? (isLast ? 'end' : undefined);
}

function readAfter(data: readonly unknown[], { after }: ListForms): Following {
  const last = data.at(-1);
  const value = isResource(last) ? readId(last) : undefined;
  if (after === undefined || value === undefined) return 'more';
  return { next: { parameter: after, value } };
}
