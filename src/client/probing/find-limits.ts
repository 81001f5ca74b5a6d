import type { DialectList } from '../../api/dialect/dialect-input.js';
import { readJsonValue } from '../exchange/json-body.js';
import { readErrorTexts } from '../reading/error-texts.js';
import { knownForms } from '../reading/forms.js';
import { type ObservedCall, splitTarget } from './observed-call.js';
import type { SeenPage, ServicePlace } from './seen-page.js';

/** Page size to request, so that the response shows the service's maximum. */
export const manyRows = 1000;

type Limits = NonNullable<DialectList['limit']>;

/** The page size parameter; `null` if none works, `undefined` if unknown. */
export function findSizeParameter(
  pages: readonly SeenPage[],
  sizes: readonly string[],
): string | null | undefined {
  for (const { query, ids, page } of pages) {
    const name = sizes.find((one) => query.has(one) && obeys(Number(query.get(one)), { ids, page }, pages));
    if (name !== undefined) return name;
  }
  const tried = new Set(
    pages.flatMap(({ query, ids }) =>
      sizes.filter((name) => query.has(name) && ids.length > Number(query.get(name))),
    ),
  );
  return sizes.every((name) => tried.has(name)) ? null : undefined;
}

function obeys(
  size: number,
  { ids, page }: Pick<SeenPage, 'ids' | 'page'>,
  pages: readonly SeenPage[],
): boolean {
  if (page.limit !== undefined)
    return page.limit === size && pages.some((other) => other.page.limit !== size);
  return ids.length === size && pages.some((other) => other.ids.length > size);
}

/** Default and maximum page sizes, from reported sizes, truncated pages and refusals. */
export function findLimits(
  pages: readonly SeenPage[],
  calls: readonly ObservedCall[],
  parameter: string | undefined,
  place: ServicePlace,
): Limits {
  const own = pages.find(({ query }) => query.size === 0);
  const whenAbsent = own && findPageSize(own, pages);
  const max = parameter === undefined ? {} : findMax(pages, calls, parameter, place);
  return { ...(whenAbsent !== undefined && { default: whenAbsent }), ...max };
}

function findPageSize({ page, ids }: SeenPage, pages: readonly SeenPage[]): number | undefined {
  const { limit, total } = page;
  if (limit !== undefined && limit === total && limit === ids.length) return undefined;
  if (limit !== undefined) return limit > 0 ? limit : undefined;
  const isCut =
    page.hasNext === true ||
    (page.total ?? 0) > ids.length ||
    pages.some((other) => other.ids.length > ids.length || isAfter(other, ids));
  return isCut && ids.length > 0 ? ids.length : undefined;
}

function isAfter({ ids }: SeenPage, first: readonly string[]): boolean {
  return ids.some((id) => !first.includes(id));
}

function findMax(
  pages: readonly SeenPage[],
  calls: readonly ObservedCall[],
  parameter: string,
  place: ServicePlace,
): Limits {
  const wants = (query: URLSearchParams) => Number(query.get(parameter)) >= manyRows;
  const page = pages.find(({ query }) => wants(query) && query.size === 1);
  if (page !== undefined) {
    const size = findPageSize(page, pages);
    return size !== undefined && size < manyRows ? { max: size, beyond: 'cap' } : {};
  }
  const refusal = calls.find(
    (call) =>
      [400, 422].includes(call.status) &&
      wants(splitTarget(call, place.basePath)?.query ?? new URLSearchParams()),
  );
  if (refusal === undefined) return {};
  const max = readNamedLimit(refusal);
  return { beyond: 'refuse', ...(max !== undefined && { max }) };
}

/** The largest number below `manyRows` in the text of a refusal. */
export function readNamedLimit({ body }: Pick<ObservedCall, 'body'>): number | undefined {
  const texts = readErrorTexts(readJsonValue(body), knownForms.errors)?.parts ?? [
    body.toString('utf8', 0, 2000),
  ];
  const named = texts.flatMap((text) => [...text.matchAll(/(?<![\w.-])\d{1,6}(?![\w-])/g)]);
  const smaller = named.map(([text]) => Number(text)).filter((number) => number > 1 && number < manyRows);
  return smaller.length === 0 ? undefined : Math.max(...smaller);
}
