import type { DialectList } from '../../api/dialect/dialect-input.js';
import { isResource, type Resource } from '../../api/resources/resource.js';
import { parseCount, pickField, type ResourceNames } from '../reading/fields.js';
import type { ListForms } from '../reading/forms.js';
import { findHolder, type SeenPage } from './seen-page.js';

type Figures = NonNullable<DialectList['fields']>;
type Figure = keyof Figures;

const figureNames = ['total', 'page', 'limit', 'pages', 'next', 'hasMore'] as const satisfies Figure[];
const none = { total: null, page: null, limit: null, pages: null, next: null, hasMore: null } as const;

/** Place, names and types of the figures in the pages of a list. */
export function findFigures(
  pages: readonly SeenPage[],
  names: ResourceNames,
  forms: ListForms,
): Pick<DialectList, 'meta' | 'fields' | 'counts'> {
  const objects = pages.map(({ value }) => value).filter(isResource);
  if (pages.length > 0 && objects.length === 0) return { meta: null, fields: none };
  const places = [null, ...forms.metas].map((meta) => {
    const holders = objects.flatMap((value) => resourceAt(value, meta));
    return { meta, holders, fields: nameFigures(holders, pages, forms) };
  });
  const [best] = places.toSorted((one, other) => countNames(other.fields) - countNames(one.fields));
  const items = new Set(objects.map((value) => findHolder(value, names, forms.items)));
  if (best === undefined || countNames(best.fields) === 0) {
    return isMore(pages) && objects.every((value) => hasOnly(value, {}, items, forms))
      ? { fields: none }
      : {};
  }
  const { meta, holders, fields } = best;
  // A field of unknown meaning may hold a figure that was not found.
  const isKnown = holders.every((holder) => hasOnly(holder, fields, items, forms));
  const counts = findCounts(holders, fields);
  return {
    meta,
    fields: isKnown ? { ...none, ...withoutDoubt(fields, pages) } : fields,
    ...(counts !== undefined && { counts }),
  };
}

function resourceAt(value: Resource, meta: string | null): Resource[] {
  const holder: unknown = meta === null ? value : pickField(value, meta);
  return isResource(holder) ? [holder] : [];
}

function countNames(fields: Figures): number {
  return Object.keys(fields).length;
}

function isMore(pages: readonly SeenPage[]): boolean {
  return pages.some(({ page: { hasNext, total, data } }) => hasNext || (total ?? 0) > data.length);
}

function withoutDoubt(fields: Figures, pages: readonly SeenPage[]): Figures {
  if (isMore(pages)) return fields;
  return { next: undefined, hasMore: undefined, ...fields };
}

function nameFigures(holders: readonly Resource[], pages: readonly SeenPage[], forms: ListForms): Figures {
  const found = figureNames.flatMap((figure) => {
    const name = listFigureNames(figure, forms).find((one) =>
      holders.some((holder) => Object.hasOwn(holder, one) && fits(figure, holder[one])),
    );
    return name === undefined ? [] : [[figure, name] as const];
  });
  const total = found.some(([figure]) => figure === 'total') ? undefined : nameCount(holders, pages, forms);
  return Object.fromEntries([...found, ...(total === undefined ? [] : [['total', total] as const])]);
}

/** The field that counts the items of the whole list: one of its values exceeds the length of the shortest page. */
function nameCount(
  holders: readonly Resource[],
  pages: readonly SeenPage[],
  { count }: ListForms,
): string | undefined {
  const shortest = Math.min(...pages.map(({ ids }) => ids.length));
  return count.find((name) =>
    holders.some((holder) => (parseCount(pickField(holder, name)) ?? 0) > shortest),
  );
}

function listFigureNames(figure: Figure, forms: ListForms): readonly string[] {
  if (figure === 'page') return forms.page.map(({ field }) => field);
  if (figure === 'next') {
    return [...forms.next, ...forms.cursor.filter(({ isWeak }) => !isWeak)].map(({ field }) => field);
  }
  return forms[figure];
}

function fits(figure: Figure, value: unknown): boolean {
  if (figure === 'hasMore') return typeof value === 'boolean';
  if (figure === 'next')
    return value === null || typeof value === 'string' || parseCount(value) !== undefined;
  return parseCount(value) !== undefined;
}

function hasOnly(
  holder: Resource,
  fields: Figures,
  items: ReadonlySet<string | null | undefined>,
  forms: ListForms,
): boolean {
  const known = new Set<unknown>([...Object.values(fields), ...items, ...forms.count]);
  return Object.entries(holder).every(([name, value]) => known.has(name) || isResource(value));
}

function findCounts(holders: readonly Resource[], { total, page, limit, pages }: Figures) {
  const values = [total, page, limit, pages].flatMap((name) =>
    typeof name === 'string' ? holders.map((holder) => pickField(holder, name)) : [],
  );
  const told = values.filter((value) => value !== undefined && value !== null);
  if (told.length === 0) return undefined;
  if (told.every((value) => typeof value === 'string')) return 'text' as const;
  return told.some((value) => typeof value === 'string') ? undefined : ('number' as const);
}
