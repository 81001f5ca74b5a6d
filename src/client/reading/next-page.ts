import { isResource, readId } from '../../api/resources/resource.js';
import { shorten } from '../exchange/json-body.js';
import { find, type Place, pickField } from './fields.js';
import type { ListForms, SentBack } from './forms.js';
import type { NextPage, Onward } from './page.js';

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
function resolveNext(address: string, asked: AskedPage): NamedNext {
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

/** The next page by the value of a response's field; `undefined` if that says that there is none. */
function readNextValue(
  value: unknown,
  { field, parameter }: SentBack,
  isAddress: boolean,
  asked: AskedPage,
): NamedNext | undefined {
  const said = isResource(value) ? (pickField(value, 'href') ?? pickField(value, 'url')) : value;
  // A number in `next` is a page number.
  if (typeof said === 'number')
    return { next: { parameter: field === 'next' ? 'page' : parameter, value: String(said) } };
  if (typeof said !== 'string' || said === '') return undefined;
  const address = isAddress ? /^(?:https?:\/\/|[/?])/i : /^https?:\/\//i;
  return address.test(said) ? resolveNext(said, asked) : { next: { parameter, value: said } };
}

/** The next page by a field; `ends` if the field says that there is none. A page that is named goes before that. */
export function findNext(
  places: readonly Place[],
  { cursor, next }: ListForms,
  asked: AskedPage,
  isCounted: boolean,
) {
  const forms = [...cursor, ...next].filter(({ isWeak }) => !(isWeak && isCounted));
  const fieldOf = ({ field }: SentBack) => field;
  const isEnd = (value: unknown) => value === null || value === '' || value === false;
  const named = find(places, forms, fieldOf, (value, form) =>
    readNextValue(value, form, next.includes(form), asked),
  );
  return (
    named ??
    find(places, forms, fieldOf, (value, { isWeak }) =>
      isEnd(value) && !isWeak ? ('ends' as const) : undefined,
    )
  );
}

interface Told {
  readonly next: NamedNext | 'ends' | undefined;
  readonly more: boolean | undefined;
  readonly isNumbered: boolean;
}

type Following = (NamedNext & Pick<Onward, 'isLastId'>) | 'ends' | 'more' | undefined;

/** The linked next page; `more` if it is only announced, `ends` if there is none, `undefined` if that is unknown. */
export function chooseNext(
  data: readonly unknown[],
  { next, more, isNumbered }: Told,
  { headers, asked }: { readonly headers: Headers; readonly asked: AskedPage },
  forms: ListForms,
): Following {
  if (forms.isOnePage) return undefined;
  const links = forms.links ? readLinks(headers) : new Map<string, string>();
  const link = links.get('next');
  if (link !== undefined) return resolveNext(link, asked);
  if (more === false) return 'ends';
  if (typeof next === 'object') return next;
  if (more) return isNumbered ? 'more' : readAfter(data, forms);
  // When paging by the last ID, an empty page ends the list.
  if (forms.after !== undefined && !forms.byNumber)
    return data.length === 0 ? 'ends' : readAfter(data, forms);
  const isLast = ['first', 'prev', 'previous', 'last'].some((relation) => links.has(relation));
  return next ?? (isLast ? 'ends' : undefined);
}

function readAfter(data: readonly unknown[], { after }: ListForms): Following {
  const last = data.at(-1);
  const id = isResource(last) ? readId(last) : undefined;
  if (after === undefined || id === undefined) return 'more';
  return { next: { parameter: after, value: id }, isLastId: true };
}
