import type { Dialect } from '../../api/dialect/dialect.js';
import { isResource } from '../../api/resources/resource.js';
import type { Answer } from '../../client/exchange/exchange.js';
import { readJsonValue } from '../../client/exchange/json-body.js';
import { pickField } from '../../client/reading/fields.js';
import { chooseForms, type Forms, knownForms } from '../../client/reading/forms.js';
import { pinForms } from '../../client/reading/pinned-forms.js';
import { readQuotas } from '../../client/reading/read-quotas.js';
import type { Reply } from './ask-kind.js';
import type { Leaves } from './dialect.js';

/** The known forms, after the names of the dialect that the service is compared with. */
export function chooseSought(kind: string, expected: Dialect | undefined): Pick<Forms, 'list' | 'item'> {
  const { list, item } = knownForms;
  const pinned = expected && pinForms(expected);
  if (pinned === undefined || 'misfit' in pinned) return knownForms;
  const own = chooseForms(pinned.forms, kind);
  const both = <Name>(one: readonly Name[], other: readonly Name[]) => [...new Set([...one, ...other])];
  return {
    list: {
      ...list,
      items: both(own.list.items, list.items),
      metas: both(own.list.metas, list.metas),
      total: both(own.list.total, list.total),
      pages: both(own.list.pages, list.pages),
      limit: both(own.list.limit, list.limit),
      page: both(own.list.page, list.page),
      cursor: both(own.list.cursor, list.cursor),
      next: both(own.list.next, list.next),
      hasMore: both(own.list.hasMore, list.hasMore),
      totalHeaders: both(own.list.totalHeaders, list.totalHeaders),
      limitParameter: own.list.limitParameter ?? list.limitParameter,
      pageParameter: own.list.pageParameter ?? list.pageParameter,
    },
    item: { ...item, in: both(own.item.in, item.in), ids: both(own.item.ids, item.ids) },
  };
}

/** Forms that all calls of a service share. */
export function describeService(prefix: string, quotas: Reply, replies: readonly Reply[]): Leaves {
  const value = quotas.answer && readJsonValue(quotas.answer.body);
  const form = value === undefined ? undefined : nameQuotaForm(value);
  const counts = value === undefined ? undefined : typeOfCounts(value);
  const errors = replies.findLast(({ refusal }) => refusal?.answer !== undefined)?.refusal?.answer;
  const errorForm = errors && nameErrorForm(errors);
  const headers = new Set(replies.flatMap(({ answer }) => Object.keys(answer?.headers ?? {})));
  const rateLimit = ['ratelimit-reset', 'ratelimit', 'x-ratelimit-reset'].find((name) => headers.has(name));
  return {
    ...(/^(?:\/[\w.~-]+)*$/.test(prefix) && { basePath: prefix }),
    ...(form !== undefined && { 'quotas.form': form }),
    ...(form !== undefined && counts !== undefined && { 'quotas.counts': counts }),
    ...(errorForm !== undefined && { errors: errorForm }),
    ...(rateLimit !== undefined && { 'headers.rateLimit': rateLimit }),
  };
}

function nameQuotaForm(value: unknown): Dialect['quotas']['form'] | undefined {
  const isRecord = (one: unknown) => readQuotas(one, knownForms) !== undefined;
  if (!isRecord(value)) return undefined;
  if (Array.isArray(value)) return 'list';
  if (isRecord(pickField(value, 'data'))) return Array.isArray(pickField(value, 'data')) ? 'data' : undefined;
  return isRecord(pickField(value, 'quotas')) ? 'quotas' : 'bare';
}

/** The type of the first figure named `used`. */
function typeOfCounts(value: unknown): Dialect['quotas']['counts'] | undefined {
  const inner = Array.isArray(value) ? value : isResource(value) ? Object.values(value) : [];
  const used = pickField(value, 'used');
  if (used !== undefined) return typeof used === 'string' ? 'text' : 'number';
  return inner.map(typeOfCounts).find((type) => type !== undefined);
}

function nameErrorForm({ body, headers }: Pick<Answer, 'body' | 'headers'>): Dialect['errors'] | undefined {
  const value = readJsonValue(body);
  const type = String(headers['content-type'] ?? '');
  if (value === undefined) return /^text\/plain\b/i.test(type) && body.length > 0 ? 'text' : undefined;
  const at = (name: string) => pickField(value, name);
  if (Array.isArray(at('errors'))) return 'errors';
  if (typeof at('detail') === 'string') return typeof at('title') === 'string' ? 'problem' : 'detail';
  if (typeof pickField(at('error'), 'message') === 'string') return 'error.message';
  if (Array.isArray(at('message'))) return 'messages';
  if (typeof at('message') === 'string') return 'message';
  return typeof at('error') === 'string' ? 'error' : undefined;
}
