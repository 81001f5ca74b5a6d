import { resources } from '../../api/resources/index.js';
import type { Quota, QuotaRecord } from '../../api/resources/records.js';
import { isResource, type Resource } from '../../api/resources/resource.js';
import { parseCount, pickField, spellNames } from './fields.js';
import type { Forms } from './forms.js';

/**
 * A response's quota record by kind. A null limit is infinite, a missing `remaining` is computed, and other fields are
 * dropped. `undefined` if no form fits or a known kind's figures are unreadable.
 */
export function readQuotas(
  value: unknown,
  { quotas: forms }: Pick<Forms, 'quotas'>,
): QuotaRecord | undefined {
  for (const name of forms.in) {
    const place: unknown = name === null ? value : pickField(value, name);
    const record = Array.isArray(place) ? readQuotaList(place, forms) : readRecord(place);
    // An empty object in the right field means no quotas.
    if (record !== undefined && (record.size > 0 || Array.isArray(place))) return Object.fromEntries(record);
  }
  return undefined;
}

type Quotas = ReadonlyMap<string, Quota>;

function readQuotaList(list: readonly unknown[], { kinds }: Forms['quotas']): Quotas | undefined {
  const [first] = list;
  if (list.length === 1 && !isQuotaLike(first)) return readRecord(first);
  const found = new Map<string, Quota>();
  for (const entry of list) {
    const kind = kinds.map((name) => pickField(entry, name)).find((name) => typeof name === 'string');
    const quota = toQuota(entry);
    if (typeof kind !== 'string' || quota === undefined) return undefined;
    found.set(toKind(kind), quota);
  }
  return found.size === 0 ? undefined : found;
}

function readRecord(value: unknown): Quotas | undefined {
  if (!isResource(value)) return undefined;
  const found = new Map<string, Quota>();
  for (const [name, one] of Object.entries(value)) {
    if (!isQuotaLike(one)) continue;
    const quota = toQuota(one);
    if (quota === undefined) return undefined;
    found.set(toKind(name), quota);
  }
  return found;
}

function isQuotaLike(value: unknown): value is Resource {
  return (
    isResource(value) &&
    Object.hasOwn(value, 'limit') &&
    (Object.hasOwn(value, 'used') || Object.hasOwn(value, 'remaining'))
  );
}

function toQuota(value: unknown): Quota | undefined {
  if (!isQuotaLike(value)) return undefined;
  const limit = value['limit'] === null ? Number.POSITIVE_INFINITY : parseCount(value['limit']);
  const left = parseCount(value['remaining']);
  const used =
    parseCount(value['used']) ?? (left === undefined || limit === undefined ? undefined : limit - left);
  if (limit === undefined || used === undefined || !Number.isFinite(used)) return undefined;
  const remaining = Number.isFinite(limit) ? (left ?? limit - used) : limit;
  return { ...value, limit, used, remaining };
}

/** `api_keys` and `apiKeys` become `api-keys`; unknown kinds keep their names. */
function toKind(name: string): string {
  return resources.find((one) => spellNames(['{kind}'], one, false).includes(name))?.kind ?? name;
}
