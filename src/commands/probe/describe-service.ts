import type { Dialect } from '../../api/dialect/dialect.js';
import { isResource } from '../../api/resources/resource.js';
import type { Answer } from '../../client/exchange/exchange.js';
import { readJsonValue } from '../../client/exchange/json-body.js';
import { pickField } from '../../client/reading/fields.js';
import { knownForms } from '../../client/reading/forms.js';
import { readQuotas } from '../../client/reading/read-quotas.js';
import type { Reply } from './ask-kind.js';
import type { Leaves } from './dialect.js';

/** Forms that all calls of a service share: of its quotas, errors and waits. */
export function describeService(prefix: string, quotas: Reply, replies: readonly Reply[]): Leaves {
  const value = quotas.answer && readJsonValue(quotas.answer.body);
  const form = nameQuotaForm(value);
  const counts = form && typeOfCounts(value);
  const refused = replies.findLast(({ refusal }) => refusal?.answer !== undefined)?.refusal?.answer;
  const errors = refused && nameErrorForm(refused);
  const headers = new Set(replies.flatMap(({ answer }) => Object.keys(answer?.headers ?? {})));
  const rateLimit = ['ratelimit-reset', 'ratelimit', 'x-ratelimit-reset'].find((name) => headers.has(name));
  return {
    ...(/^(?:\/[\w.~-]+)*$/.test(prefix) && { basePath: prefix }),
    ...(form !== undefined && { 'quotas.form': form }),
    ...(counts !== undefined && { 'quotas.counts': counts }),
    ...(errors !== undefined && { errors }),
    ...(rateLimit !== undefined && { 'headers.rateLimit': rateLimit }),
  };
}

function nameQuotaForm(value: unknown): Dialect['quotas']['form'] | undefined {
  const isRecord = (one: unknown) => readQuotas(one, knownForms) !== undefined;
  const data = pickField(value, 'data');
  if (!isRecord(value)) return undefined;
  if (Array.isArray(value)) return 'list';
  if (isRecord(data)) return Array.isArray(data) ? 'data' : undefined;
  return isRecord(pickField(value, 'quotas')) ? 'quotas' : 'bare';
}

/** The type of the first figure named `used`. */
function typeOfCounts(value: unknown): Dialect['quotas']['counts'] | undefined {
  const used = pickField(value, 'used');
  if (used !== undefined) return typeof used === 'string' ? 'text' : 'number';
  const inner = isResource(value) || Array.isArray(value) ? Object.values<unknown>(value) : [];
  return inner.map(typeOfCounts).find((type) => type !== undefined);
}

function nameErrorForm({ body, headers }: Pick<Answer, 'body' | 'headers'>): Dialect['errors'] | undefined {
  const value = readJsonValue(body);
  const isPlain = /^text\/plain\b/i.test(String(headers['content-type'] ?? ''));
  if (value === undefined) return isPlain && body.length > 0 ? 'text' : undefined;
  const isText = (name: string) => typeof pickField(value, name) === 'string';
  if (Array.isArray(pickField(value, 'errors'))) return 'errors';
  if (isText('detail')) return isText('title') ? 'problem' : 'detail';
  if (typeof pickField(pickField(value, 'error'), 'message') === 'string') return 'error.message';
  if (Array.isArray(pickField(value, 'message'))) return 'messages';
  if (isText('message')) return 'message';
  return isText('error') ? 'error' : undefined;
}
