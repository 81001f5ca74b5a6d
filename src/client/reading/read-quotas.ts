import { isQuotaKind, resources } from '../../api/resources/index.js';
import type { Quota, QuotaRecord } from '../../api/resources/records.js';
import { isResource, type Resource } from '../../api/resources/resource.js';
import { ExactNumber } from '../../text/exact-number.js';
import { parseCount, pickField, spellNames } from './fields.js';
import type { Forms } from './forms.js';

/** Figures of a quota without a limit, as returned, such as null or -1. */
export interface Unlimited {
  readonly limit: number | null;
  readonly remaining: number | null;
}

export interface FoundQuotas {
  readonly record: QuotaRecord;
  /** Quotas without readable figures, by kind, as returned. */
  readonly unread: Readonly<Record<string, unknown>>;
  readonly unlimited: Readonly<Record<string, Unlimited>>;
  /** Whether further pages follow, which are not read: in the API reference, quotas have no pages. */
  readonly isPartial: boolean;
}

/**
 * A response's quotas by kind; `undefined` if no form fits. A null or negative limit is infinite, and a missing `used`
 * or `remaining` is computed. A kind with contradictory figures cannot be read.
 */
export function readQuotas(
  value: unknown,
  { quotas: forms, list }: Pick<Forms, 'quotas' | 'list'>,
): FoundQuotas | undefined {
  const isPartial = hasFurtherPages(value, list);
  let unreadable: FoundQuotas | undefined;
  for (const name of forms.in) {
    const place: unknown = name === null ? value : pickField(value, name);
    const found = Array.isArray(place) ? readQuotaList(place, forms) : readRecord(place);
    if (found === undefined) continue;
    const reading = {
      record: Object.fromEntries(found.read),
      unread: Object.fromEntries(found.unread),
      unlimited: Object.fromEntries(found.unlimited),
      isPartial,
    };
    if (found.read.size > 0) return reading;
    // An object without any quota is not a quota record.
    if (found.unread.size > 0 || Array.isArray(place)) unreadable ??= reading;
  }
  return unreadable;
}

function hasFurtherPages(value: unknown, { metas, pages, hasMore, next }: Forms['list']): boolean {
  const holders = [value, ...metas.map((name) => pickField(value, name))].filter(isResource);
  const isMore = (holder: Resource) =>
    hasMore.some((name) => pickField(holder, name) === true) ||
    pages.some((name) => (parseCount(pickField(holder, name)) ?? 1) > 1) ||
    next.some(({ field, isWeak }) => !isWeak && typeof pickField(holder, field) === 'string');
  return holders.some(isMore);
}

interface Quotas {
  readonly read: Map<string, Quota>;
  readonly unread: Map<string, unknown>;
  readonly unlimited: Map<string, Unlimited>;
}

function noQuotas(): Quotas {
  return { read: new Map(), unread: new Map(), unlimited: new Map() };
}

function readQuotaList(list: readonly unknown[], { kinds }: Forms['quotas']): Quotas | undefined {
  const [first] = list;
  const nameKind = (entry: unknown) =>
    kinds.map((name) => pickField(entry, name)).find((name) => typeof name === 'string');
  if (list.length === 1 && !isQuotaLike(first)) {
    const inner = readRecord(first);
    const isEntry = hasFigure(first) && nameKind(first) !== undefined;
    if (!isEntry || (inner?.unread.size ?? 0) + (inner?.read.size ?? 0) > 0) return inner;
  }
  const found = noQuotas();
  for (const entry of list) {
    const kind = nameKind(entry);
    if (typeof kind !== 'string' || !(hasFigure(entry) || isKnownKind(kind))) return undefined;
    addQuota(found, kind, entry);
  }
  return found.read.size + found.unread.size === 0 ? undefined : found;
}

function readRecord(value: unknown): Quotas | undefined {
  if (!isResource(value)) return undefined;
  const found = noQuotas();
  for (const [name, one] of Object.entries(value)) {
    if (isQuotaLike(one) || isKnownKind(name)) addQuota(found, name, one);
  }
  return found;
}

function addQuota({ read, unread, unlimited }: Quotas, name: string, value: unknown): void {
  const kind = toKind(name);
  const quota = isQuotaLike(value) ? toQuota(value) : undefined;
  const former = unread.get(kind) ?? read.get(kind);
  if (quota === undefined || (former !== undefined && !hasSameFigures(former, quota))) {
    read.delete(kind);
    unread.set(kind, former === undefined ? value : [former, value].flat());
    return;
  }
  read.set(kind, quota);
  if (quota.limit === Number.POSITIVE_INFINITY) {
    unlimited.set(kind, {
      limit: toFigure(pickField(value, 'limit')),
      remaining: toFigure(pickField(value, 'remaining')),
    });
  }
}

function hasSameFigures(one: unknown, { limit, used }: Quota): boolean {
  return pickField(one, 'limit') === limit && pickField(one, 'used') === used;
}

function hasFigure(value: unknown): boolean {
  return ['limit', 'used', 'remaining'].some((name) => pickField(value, name) !== undefined);
}

function isKnownKind(name: string): boolean {
  return isQuotaKind(toKind(name));
}

function isQuotaLike(value: unknown): value is Resource {
  return (
    isResource(value) &&
    Object.hasOwn(value, 'limit') &&
    (Object.hasOwn(value, 'used') || Object.hasOwn(value, 'remaining'))
  );
}

function toQuota(value: Resource): Quota | undefined {
  const limit = isUnlimited(value['limit']) ? Number.POSITIVE_INFINITY : parseCount(value['limit']);
  const left = parseCount(value['remaining']);
  const used =
    parseCount(value['used']) ?? (left === undefined || limit === undefined ? undefined : limit - left);
  if (limit === undefined || used === undefined || !Number.isFinite(used)) return undefined;
  const remaining = Number.isFinite(limit) ? (left ?? limit - used) : limit;
  return { ...value, limit, used, remaining };
}

function isUnlimited(limit: unknown): boolean {
  return limit === null || (toFigure(limit) ?? 0) < 0;
}

/** Like `parseCount`, but also reads negative numbers in text. */
function toFigure(value: unknown): number | null {
  const text = typeof value === 'string' || value instanceof ExactNumber ? String(value) : '';
  return /^-\d+$/.test(text) ? Number(text) : (parseCount(value) ?? null);
}

/** `api_keys` and `apiKeys` become `api-keys`; unknown kinds keep their names. */
function toKind(name: string): string {
  return resources.find((one) => spellNames(['{kind}'], one, false).includes(name))?.kind ?? name;
}
