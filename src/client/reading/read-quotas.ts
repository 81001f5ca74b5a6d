import { isQuotaKind, resources } from '../../api/resources/index.js';
import type { Quota, QuotaRecord } from '../../api/resources/records.js';
import { isResource } from '../../api/resources/resource.js';
import { type Forms, parseCount, pickField, spellNames } from './forms.js';

export interface FoundQuotas {
  readonly record: QuotaRecord;
  /** Quotas without readable numbers, by kind, as returned. */
  readonly unread: Readonly<Record<string, unknown>>;
}

/**
 * A response's quotas by kind, in the first form that fits. A null or negative limit is infinite, and a missing
 * `used` or `remaining` is computed.
 */
export function readQuotas(value: unknown, { quotas }: Forms): FoundQuotas {
  const places = quotas.map((name) => (name === null ? value : pickField(value, name)));
  const found = places.map((place) => toQuotas(listEntries(place)));
  const has = (quotas: object) => Object.keys(quotas).length > 0;
  return found.find(({ record, unread }) => has(record) || has(unread)) ?? { record: {}, unread: {} };
}

type Entry = readonly [kind: string, quota: unknown];

/** The quotas of a record, of a list of one record, or of a list whose items name their kind. */
function listEntries(place: unknown): readonly Entry[] {
  if (!Array.isArray(place)) return isResource(place) ? Object.entries(place) : [];
  const [first] = place;
  if (place.length === 1 && pickField(first, 'kind') === undefined) return listEntries(first);
  return place.flatMap((entry): Entry[] => {
    const kind = pickField(entry, 'kind');
    return typeof kind === 'string' ? [[kind, entry]] : [];
  });
}

function toQuotas(entries: readonly Entry[]): FoundQuotas {
  const kinds = entries.map(([name, value]) => ({ kind: toKind(name), value, quota: toQuota(value) }));
  const record = kinds.flatMap(({ kind, quota }) => (quota === undefined ? [] : [[kind, quota] as const]));
  const unread = kinds.filter(({ kind, quota }) => quota === undefined && isQuotaKind(kind));
  return {
    record: Object.fromEntries(record),
    unread: Object.fromEntries(unread.map(({ kind, value }) => [kind, value])),
  };
}

function toQuota(value: unknown): Quota | undefined {
  const given = pickField(value, 'limit');
  const count = parseCount(given);
  const limit = given === null || (count !== undefined && count < 0) ? Number.POSITIVE_INFINITY : count;
  const left = parseCount(pickField(value, 'remaining'));
  if (!isResource(value) || limit === undefined) return undefined;
  const used = parseCount(value['used']) ?? (left === undefined ? Number.NaN : limit - left);
  if (!Number.isFinite(used)) return undefined;
  return { ...value, limit, used, remaining: Number.isFinite(limit) ? (left ?? limit - used) : limit };
}

/** `api_keys` and `apiKeys` become `api-keys`; unknown kinds keep their names. */
function toKind(name: string): string {
  return resources.find((one) => spellNames(['{kind}'], one, false).includes(name))?.kind ?? name;
}
