import { STATUS_CODES } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { type Dialect, dialectSchema } from '../../api/dialect/dialect.js';
import type { DialectInput, PresetName } from '../../api/dialect/dialect-input.js';
import type { FieldNames } from '../../api/dialect/field-names.js';
import { presets } from '../../api/dialect/presets.js';
import type { QuotaRecord } from '../../api/quota.js';
import type { DeclaredResource, QuotaKind } from '../../api/resources/index.js';
import { isResource } from '../../api/resources/resource.js';
import type { Envelope } from '../../api/schema/envelope.js';
import { type Problem, placeMessage, z } from '../../api/schema/schema.js';
import { UsageError } from '../../errors/errors.js';
import type { Store } from '../../storage/store.js';
import { type Answer, errorAnswer, HttpError, jsonAnswer, refuseNotFound } from '../http/answer.js';
import { readQuery } from '../http/body.js';
import { isServiceTarget, ownTargets, type Targets } from '../http/url-space.js';
import { quotaEnvelope, type ResourceCall, runResourceCall } from '../routes/resources.js';
import { type KindDialect, kindDialect, readPage, writePage } from './kind-dialect.js';

export function checkDialect(
  input: unknown,
): { readonly dialect: Dialect } | { readonly problems: readonly Problem[] } {
  const { data, error } = z.safeParse(dialectSchema, input);
  if (error !== undefined) return { problems: error.issues };
  if (isServiceTarget(data.basePath) && !/\/\.{1,2}(?:\/|$)/.test(data.basePath)) return { dialect: data };
  const message = "must not contain . or .. segments, or be one of the server's own paths";
  return { problems: [{ path: ['basePath'], message }] };
}

/** `undefined` if the dialect equals the API reference. @throws UsageError if it cannot be used */
export function openDialect(wanted: PresetName | DialectInput): Translation | undefined {
  const [name, form] = typeof wanted === 'string' ? [wanted, presets[wanted]] : ['custom', wanted];
  const checked = checkDialect(form);
  if ('problems' in checked)
    throw new UsageError(`the dialect cannot be used: ${checked.problems.map(placeMessage).join('; ')}`);
  const { dialect } = checked;
  if (isDeepStrictEqual(dialect, z.parse(dialectSchema, presets.reference))) return undefined;
  return translation(name, dialect, targetsBelow(dialect));
}

/** A path that is not found, after authentication. */
const nowhere = '/';

/** Targets below a base path. The server's own paths stay where they are. */
function targetsBelow({ basePath, signedBasePath }: Dialect): Targets {
  if (basePath === '') return ownTargets;
  const rest = (target: string): string | undefined => {
    const local = target.slice(basePath.length);
    if (!target.startsWith(basePath) || !/^(?:[/?#]|$)/.test(local)) return undefined;
    return local.startsWith('/') ? local : `/${local}`;
  };
  return {
    toLocal(target) {
      if (!isServiceTarget(target)) return target;
      const local = rest(target);
      return local !== undefined && isServiceTarget(local) ? local : nowhere;
    },
    toSigned: signedBasePath ? ownTargets.toSigned : (target) => rest(target) ?? target,
  };
}

export type Translation = ReturnType<typeof translation>;

/** Translates requests before a call runs, and responses after it: calls use the server's own terms. */
function translation(name: string, dialect: Dialect, targets: Targets) {
  const kinds = new Map<QuotaKind, KindDialect>();
  return {
    name,
    targets,
    basePath: dialect.basePath,
    /** Whether the service lacks a kind. */
    isMissing: (kind: QuotaKind): boolean => dialect.kinds[kind]?.missing !== undefined,
    /** Changes the case of header names. */
    spell(headers: string[]): void {
      const { case: letters } = dialect.headers;
      for (let at = 0; at < headers.length && letters !== 'as-documented'; at += 2) {
        const header = headers[at] ?? '';
        headers[at] = letters === 'upper' ? header.toUpperCase() : header.toLowerCase();
      }
    },
    answer(call: ResourceCall, target: string, store: Store): Promise<Answer> {
      const { kind } = call.resource;
      const known = kinds.get(kind) ?? kindDialect(dialect, call.resource, store.resources[kind]);
      kinds.set(kind, known);
      return answerIn(known, call, target, store);
    },
    writeQuotas: (record: QuotaRecord): unknown => writeQuotas(record, dialect.quotas),
    /** @param resource the call's, if a call was found @param now milliseconds since the epoch */
    refuse: (refusal: HttpError, resource: DeclaredResource | undefined, now: number): Answer =>
      writeError(refusal, dialect, resource && kinds.get(resource.kind)?.fields, now),
  };
}

async function answerIn(
  kind: KindDialect,
  asked: ResourceCall,
  target: string,
  store: Store,
): Promise<Answer> {
  if (kind.missing !== undefined) throw new HttpError(kind.missing, undefined, { check: 'route' });
  const { name, organizationId } = asked;
  const page = name === 'list' ? await readPage(readQuery(target), organizationId, kind) : asked.page;
  const id = asked.id === '' ? '' : await kind.findId(asked.id, organizationId);
  if (id === undefined) throw refuseNotFound();
  // One extra row shows whether there are more.
  const read = kind.isByRow ? { ...page, limit: page.limit + 1 } : page;
  const value = await runResourceCall({ ...asked, page: read, id, toOwn: kind.fields.toOwn }, store);
  if (name === 'list' && isEnvelope(value)) return writePage(value, page, organizationId, kind);
  if (isResource(value)) return writeItem(asked, kind, value);
  return kind.item.deleted === 204 ? jsonAnswer(204) : jsonAnswer(kind.item.deleted, {});
}

function writeQuotas(record: QuotaRecord, { form, counts }: Dialect['quotas']): unknown {
  const toText = (_name: string, value: unknown) => (typeof value === 'number' ? String(value) : value);
  const written: object = counts === 'text' ? JSON.parse(JSON.stringify(record, toText)) : record;
  if (form === 'data') return quotaEnvelope(written);
  if (form === 'bare') return written;
  if (form === 'quotas') return { quotas: written };
  return Object.entries(written).map(([kind, quota]) => ({ kind, ...quota }));
}

async function writeItem(
  { name, organizationId }: ResourceCall,
  kind: KindDialect,
  item: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const ids = kind.hasNumericIds ? [String(item['id'])] : [];
  const written = kind.toTheirs(item, await kind.rows.numbers(organizationId, ids));
  const { status, body } = kind.item.created;
  // A new key is never omitted: only this response has its secret.
  if (name === 'create' && body === 'none' && !('secret' in item)) {
    const id = String(written[kind.fields.theirs.get('id') ?? 'id']);
    return { status, headers: ['Location', `${kind.path}/${id}`], body: '' };
  }
  const holder = kind.itemHolder;
  return jsonAnswer(name === 'create' ? status : 200, holder === null ? written : { [holder]: written });
}

function isEnvelope(value: unknown): value is Envelope<{ readonly id: string }> {
  return isResource(value) && Array.isArray(value['data']);
}

/** The body for an exceeded quota is the same in all dialects. */
function writeError(
  refusal: HttpError,
  { errors, headers }: Dialect,
  fields: FieldNames | undefined,
  now: number,
): Answer {
  const { statusCode: status } = refusal;
  const { check, headers: own = [] } = refusal.refusal;
  if (check === 'quota') return errorAnswer(refusal);
  const [name, wait = ''] = own;
  const others = status === 429 && name === 'Retry-After' ? waits[headers.rateLimit](wait, now) : own;
  const type = errors === 'text' ? 'text/plain' : `application/${errors === 'problem' ? 'problem+' : ''}json`;
  const body = writeBody(errors, status, problemsOf(refusal, fields));
  return { status, headers: ['Content-Type', `${type}; charset=utf-8`, ...others], body };
}

/** The problems in a message, with the client's names of the body's fields. */
function problemsOf({ message, refusal: { check } }: HttpError, names: FieldNames | undefined): string[] {
  if (check !== 'body') return [message];
  const toTheirs = (field: string) => names?.theirs.get(field) ?? field;
  return message.split('; ').map((text) => text.replace(/^\w+(?=(?:[.[][^:]*)?: )/, toTheirs));
}

function writeBody(form: Dialect['errors'], status: number, problems: readonly string[]): string {
  const message = problems.join('; ');
  const title = STATUS_CODES[status] ?? 'Error';
  if (form === 'text') return `${message}\n`;
  const forms: Readonly<Record<typeof form, object>> = {
    message: { statusCode: status, message },
    messages: { statusCode: status, error: title, message: problems },
    error: { error: message },
    'error.message': { error: { code: status, message } },
    detail: { detail: message },
    problem: { type: 'about:blank', title, status, detail: message },
    errors: { errors: problems.map(toFieldError) },
  };
  return JSON.stringify(forms[form]);
}

function toFieldError(problem: string): object {
  const [, field, message = problem] = /^([^\s:]+): (.+)$/.exec(problem) ?? [];
  return { field, message };
}

const waits: Readonly<Record<Dialect['headers']['rateLimit'], (wait: string, now: number) => string[]>> = {
  none: () => [],
  'retry-after': (wait) => ['Retry-After', wait],
  'ratelimit-reset': (wait) => ['RateLimit-Remaining', '0', 'RateLimit-Reset', wait],
  ratelimit: (wait) => ['RateLimit', `"default";r=0;t=${wait}`],
  'x-ratelimit-reset': (wait, now) => {
    const reset = Math.ceil(now / 1000) + Number(wait);
    return ['X-RateLimit-Remaining', '0', 'X-RateLimit-Reset', String(reset)];
  },
};
