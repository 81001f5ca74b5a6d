import type { Dialect } from '../../api/dialect/dialect.js';
import type { DialectInput, DialectList } from '../../api/dialect/dialect-input.js';
import { resources } from '../../api/resources/index.js';
import { describeDialect } from './describe-dialect.js';
import { findFigures } from './find-figures.js';
import { findFieldTypes, findItem, listSingles, nameHolder } from './find-item.js';
import { findLimits, findSizeParameter } from './find-limits.js';
import { findServiceForms, listUnreadQuotas, type ServiceForms } from './find-service.js';
import { type FoundWay, findWay } from './find-way.js';
import { type ObservedCall, spellHeader } from './observed-call.js';
import type { ProbedKind } from './probed-kind.js';
import { callsOfList, findHolder, readSeenPage, type SeenPage, type ServicePlace } from './seen-page.js';
import { seekForms } from './sought-forms.js';

/** A service as its calls show it, with the matching dialect. */
export interface ObservedService {
  readonly kinds: readonly ProbedKind[];
  readonly forms: ServiceForms;
  /** Kinds whose quotas orgctl cannot read. */
  readonly unreadQuotas: readonly string[];
  /** Only settings that differ from `reference`. */
  readonly dialect: DialectInput;
}

/**
 * Derives a service's dialect from recorded calls, without sending anything. The dialect contains none of the
 * organization's data.
 * @param expected a dialect whose names take precedence
 */
export function toDialect(
  calls: readonly ObservedCall[],
  place: ServicePlace,
  expected?: Dialect | undefined,
): ObservedService {
  const kinds = resources.map((resource) => describeKind(calls, resource, place, expected));
  const forms = findServiceForms(calls, place);
  const unreadQuotas = listUnreadQuotas(calls, place);
  return { kinds, forms, unreadQuotas, dialect: describeDialect(kinds, forms) };
}

type Named = (typeof resources)[number];

function describeKind(
  calls: readonly ObservedCall[],
  resource: Named,
  place: ServicePlace,
  expected: Dialect | undefined,
): ProbedKind {
  const { kind } = resource;
  const own = expected?.kinds[kind];
  // A 401 in a recording may be due to a wrong signature, and does not show what the key may read.
  const lists = callsOfList(calls, kind, place).filter(({ status }) => status !== 401);
  const unknown = { kind, list: {}, item: {}, fields: {} };
  if (lists.length === 0) return { ...unknown, state: 'unasked' };
  const missing = lists.map(({ status }) => status).find(isMissing);
  if (missing !== undefined && lists.every(({ status }) => status === missing)) {
    return { ...unknown, state: 'missing', missing };
  }
  const sought = seekForms(own?.list ?? expected?.list);
  const pages = lists.flatMap((call) => readSeenPage(call, resource, sought, place) ?? []);
  if (pages.length === 0) {
    return { ...unknown, state: lists.some(({ status }) => status < 300) ? 'unread' : 'refused' };
  }
  const rows = pages.flatMap((page) => page.rows);
  const singles = listSingles(calls, kind, place);
  const item = findItem(rows, singles, resource, own?.item ?? expected?.item);
  const { isInexpressible, ...list } = describeList(pages, lists, { resource, sought, place });
  return {
    kind,
    state: 'read',
    list,
    ...(isInexpressible && { isInexpressible }),
    item: item.in === undefined ? item : { ...item, in: nameHolder(item.in, resource, true) },
    fields: findFieldTypes(rows),
  };
}

function isMissing(status: number): status is 404 | 405 | 501 {
  return status === 404 || status === 405 || status === 501;
}

interface ListSearch {
  readonly resource: Named;
  readonly sought: ReturnType<typeof seekForms>;
  readonly place: ServicePlace;
}

type DescribedList = DialectList & Pick<FoundWay, 'isInexpressible'>;

function describeList(
  pages: readonly SeenPage[],
  calls: readonly ObservedCall[],
  { resource, sought, place }: ListSearch,
): DescribedList {
  const [{ value } = { value: undefined }] = pages;
  const holder = findHolder(value, resource, sought.list.items);
  const figures = findFigures(pages, resource, sought.list);
  const totalHeader = findTotalHeader(pages, sought.list.totalHeaders);
  const { parameter: way, ...paging } = findWay(pages, sought, figures);
  const size = findSizeParameter(pages, sought.sizes);
  const list: DescribedList = {
    ...(holder !== undefined && { items: nameHolder(holder, resource, false) }),
    ...figures,
    totalHeader,
    ...paging,
  };
  if (paging.paging === 'none') return list;
  const limit = findLimits(pages, calls, size ?? undefined, place);
  return {
    ...list,
    ...readFirstPage(list, pages),
    parameters: {
      ...(size !== undefined && (size !== null || paging.paging !== undefined) && { limit: size }),
      ...(way !== undefined && { page: way }),
    },
    limit,
  };
}

function readFirstPage({ paging, firstPage }: DialectList, pages: readonly SeenPage[]): DialectList {
  const said = pages.find(({ query }) => query.size === 0)?.page.page;
  if (firstPage !== undefined || paging === 'cursor' || paging === 'after') return {};
  return said === 0 || said === 1 ? { firstPage: said } : {};
}

function findTotalHeader(pages: readonly SeenPage[], names: readonly string[]): string | null {
  const found = names.find((name) => pages.some(({ headers }) => headers[name] !== undefined));
  return found === undefined ? null : spellHeader(found);
}
