import { isResource } from '../../api/resources/resource.js';
import { parseCount, pickField, type ResourceNames, spellNames } from '../../client/reading/fields.js';
import type { ListForms } from '../../client/reading/forms.js';

export const figureNames = ['total', 'page', 'limit', 'pages', 'next', 'hasMore'] as const;
type Figures = Readonly<Partial<Record<(typeof figureNames)[number], string>>>;

/** The names that the reader takes from the body of a list. */
export interface UsedNames {
  /** Field of the items, `{kind}` for the resource's name; `null`: a bare array; `undefined`: a field further down. */
  readonly items: string | null | undefined;
  readonly rows: readonly unknown[];
  /** Field of the object with the figures; `null`: they are beside the items. */
  readonly meta: string | null;
  readonly figures: Figures;
  readonly counts: 'number' | 'text' | undefined;
}

export function findUsedNames(value: unknown, names: ResourceNames, forms: ListForms): UsedNames {
  const holder = forms.items.find((name) => spellItems(name, names).some((one) => isList(value, one)));
  const found =
    holder === null
      ? value
      : pickField(value, spellItems(holder, names).find((one) => isList(value, one)) ?? '');
  const rows: readonly unknown[] = Array.isArray(found) ? found : [];
  const places = [null, ...forms.metas].map((meta) => {
    const place = meta === null ? value : pickField(value, meta);
    return { meta, place, figures: nameFigures(place, rows.length, forms) };
  });
  const countNames = (figures: Figures) => Object.keys(figures).length;
  const { meta, place, figures } = places.reduce((one, other) =>
    countNames(other.figures) > countNames(one.figures) ? other : one,
  );
  const { total, page, limit, pages } = figures;
  const count = [total, page, limit, pages].find((name) => name !== undefined);
  const counts =
    count === undefined ? undefined : typeof pickField(place, count) === 'string' ? 'text' : 'number';
  return { items: holder, rows, meta, figures, counts };
}

function spellItems(name: string | null | undefined, names: ResourceNames): readonly (string | null)[] {
  return typeof name === 'string' ? spellNames([name], names, false) : [null];
}

function isList(value: unknown, name: string | null): name is string {
  return Array.isArray(name === null ? value : pickField(value, name));
}

function nameFigures(holder: unknown, length: number, forms: ListForms): Figures {
  const isCount = (name: string) => parseCount(pickField(holder, name)) !== undefined;
  const leads = (name: string) => {
    const value = pickField(holder, name);
    return value === null || typeof value === 'string' || typeof value === 'number';
  };
  const cursors = forms.cursor.filter(({ isWeak }) => !isWeak);
  const found: Readonly<Record<(typeof figureNames)[number], string | undefined>> = {
    total:
      forms.total.find(isCount) ??
      forms.count.find((name) => (parseCount(pickField(holder, name)) ?? 0) > length),
    page: forms.page.map(({ field }) => field).find(isCount),
    limit: forms.limit.find(isCount),
    pages: forms.pages.find(isCount),
    next: [...forms.next, ...cursors].map(({ field }) => field).find(leads),
    hasMore: forms.hasMore.find((name) => typeof pickField(holder, name) === 'boolean'),
  };
  return isResource(holder)
    ? Object.fromEntries(Object.entries(found).filter(([, name]) => name !== undefined))
    : {};
}
