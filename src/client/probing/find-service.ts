import type { DialectInput } from '../../api/dialect/dialect-input.js';
import { quotaHeader } from '../../api/quota.js';
import { isResource } from '../../api/resources/resource.js';
import { readJsonValue } from '../exchange/json-body.js';
import { pickField } from '../reading/fields.js';
import { knownForms } from '../reading/forms.js';
import { readQuotas } from '../reading/read-quotas.js';
import { headersByName, type ObservedCall, readCallValue, splitTarget } from './observed-call.js';
import type { ServicePlace } from './seen-page.js';

type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] };
type Headers = NonNullable<DialectInput['headers']>;

export type ServiceForms = Pick<
  DialectInput,
  'basePath' | 'signedBasePath' | 'quotas' | 'headers' | 'errors'
>;

export function findServiceForms(calls: readonly ObservedCall[], place: ServicePlace): ServiceForms {
  const quotas = findQuotaForm(calls, place);
  const errors = findErrorForm(calls);
  const headers = { ...findHeaderCase(calls), ...findRateLimit(calls) };
  const forms: Writable<ServiceForms> = { headers };
  if (/^(?:\/[\w.~-]+)*$/.test(place.basePath)) forms.basePath = place.basePath;
  if (quotas !== undefined) forms.quotas = quotas;
  if (errors !== undefined) forms.errors = errors;
  return forms;
}

function findQuotaForm(
  calls: readonly ObservedCall[],
  place: ServicePlace,
): DialectInput['quotas'] | undefined {
  const [shown] = findQuotas(calls, place);
  if (shown === undefined) return undefined;
  const form = nameQuotaForm(shown.value);
  const counts = quotaCounts(shown.value);
  return { ...(form && { form }), ...(counts && { counts }) };
}

/** Kinds whose quotas the service shows in a form that orgctl does not understand. */
export function listUnreadQuotas(calls: readonly ObservedCall[], place: ServicePlace): readonly string[] {
  const [shown] = findQuotas(calls, place);
  return Object.keys(shown?.quotas.unread ?? {});
}

function findQuotas(calls: readonly ObservedCall[], { basePath }: ServicePlace) {
  return calls.flatMap((call) => {
    const path = splitTarget(call, basePath)?.path;
    const value = path === '/quotas' && call.request.method === 'GET' ? readCallValue(call) : undefined;
    const quotas = value === undefined ? undefined : readQuotas(value, knownForms);
    return quotas === undefined ? [] : [{ value, quotas }];
  });
}

function nameQuotaForm(value: unknown): NonNullable<DialectInput['quotas']>['form'] {
  if (Array.isArray(value)) return 'list';
  if (readQuotas(pickField(value, 'data'), knownForms) !== undefined) {
    return Array.isArray(pickField(value, 'data')) ? 'data' : undefined;
  }
  return readQuotas(pickField(value, 'quotas'), knownForms) === undefined ? 'bare' : 'quotas';
}

function quotaCounts(value: unknown): 'number' | 'text' | undefined {
  if (Array.isArray(value)) return value.map(quotaCounts).find((counts) => counts !== undefined);
  if (!isResource(value)) return undefined;
  const used = pickField(value, 'used');
  if (used !== undefined) return typeof used === 'string' ? 'text' : 'number';
  return Object.values(value)
    .map((inner) => (typeof inner === 'object' ? quotaCounts(inner) : undefined))
    .find((counts) => counts !== undefined);
}

/** The form of errors. Ignores 5xx responses, because a proxy in front of the service may send them in another form. */
function findErrorForm(calls: readonly ObservedCall[]): DialectInput['errors'] {
  const forms = calls
    .filter(({ status }) => status >= 400 && status < 500)
    .map(nameErrorForm)
    .filter((form) => form !== undefined);
  return forms.length > 0 && new Set(forms).size === 1 ? forms[0] : undefined;
}

function nameErrorForm(call: ObservedCall): DialectInput['errors'] {
  const value = readJsonValue(call.body);
  const type = headersByName(call)['content-type']?.join() ?? '';
  if (value === undefined) return /^text\/plain\b/i.test(type) && call.body.length > 0 ? 'text' : undefined;
  const at = (name: string) => pickField(value, name);
  if (Array.isArray(at('errors'))) return 'errors';
  if (typeof at('detail') === 'string') {
    return /^application\/problem\+json\b/i.test(type) || typeof at('title') === 'string'
      ? 'problem'
      : 'detail';
  }
  if (typeof pickField(at('error'), 'message') === 'string') return 'error.message';
  if (Array.isArray(at('message'))) return 'messages';
  if (typeof at('message') === 'string') return 'message';
  return typeof at('error') === 'string' ? 'error' : undefined;
}

const spelledNames = [...Object.values(quotaHeader), 'Content-Type', 'Content-Length', 'Retry-After'];

/** The case of header names. Uses the service's own headers: its HTTP server spells others, such as `Connection`. */
function findHeaderCase(calls: readonly ObservedCall[]): Pick<Headers, 'case'> {
  const sent = calls.flatMap(({ headers }) => headers.map(([name]) => name));
  for (const name of spelledNames) {
    const spelled = sent.filter((one) => one.toLowerCase() === name.toLowerCase());
    const [first] = new Set(spelled);
    if (first === undefined || new Set(spelled).size > 1) continue;
    if (first === name) return { case: 'as-documented' };
    if (first === name.toLowerCase()) return { case: 'lower' };
    if (first === name.toUpperCase()) return { case: 'upper' };
  }
  return {};
}

const rateLimitNames = {
  'ratelimit-reset': 'ratelimit-reset',
  ratelimit: 'ratelimit',
  'x-ratelimit-reset': 'x-ratelimit-reset',
  'retry-after': 'retry-after',
} as const;

/** The rate limit header, from 429 responses or, if there are none, from successful ones. */
function findRateLimit(calls: readonly ObservedCall[]): Pick<Headers, 'rateLimit'> {
  const refused = calls.filter(({ status }) => status === 429);
  const some = refused.length > 0 ? refused : calls.filter(({ status }) => status < 300);
  const sent = new Set(some.flatMap((call) => Object.keys(headersByName(call))));
  for (const [name, form] of Object.entries(rateLimitNames)) {
    if (sent.has(name) && (refused.length > 0 || name !== 'retry-after')) return { rateLimit: form };
  }
  return refused.length > 0 ? { rateLimit: 'none' } : {};
}

/** Quota and rate limit headers, in the service's spelling. */
export function listLimitHeaders(calls: readonly ObservedCall[]): readonly string[] {
  const known = /^(?:x-quota-(?:limit|used|remaining)|(?:x-)?rate-?limit(?:-[a-z]{1,16})?|retry-after)$/i;
  const names = calls.flatMap(({ headers }) => headers.map(([name]) => name));
  return [...new Set(names.filter((name) => known.test(name)))].sort();
}
