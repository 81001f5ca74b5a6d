import type { Dialect } from '../../api/dialect/dialect.js';
import { errorAnswerSchema } from '../../api/error-message.js';
import { quotaHeader } from '../../api/quota.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import { isResource, type Resource } from '../../api/resources/resource.js';
import type { z } from '../../api/schema/schema.js';
import { readErrorTexts } from '../../client/reading/error-texts.js';
import { chooseForms, type Forms } from '../../client/reading/forms.js';
import { outline } from '../../client/reading/outline.js';
import { describeListPlaces, readList } from '../../client/reading/read-list.js';
import { readSingle } from '../../client/reading/read-single.js';
import { compareFields } from './compare-fields.js';
import { type KnownCall, listAnswers } from './known-calls.js';

export interface ReadAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined` without a body. */
  readonly body: { readonly json: unknown } | 'no JSON' | undefined;
}

export interface Expected {
  /** `undefined` to compare with the API reference and the embedded server's responses. */
  readonly dialect: Dialect | undefined;
  readonly forms: Forms;
}

/** Lists differences between a response and the API's description, in one clause each. */
export function compareAnswer(call: KnownCall, answer: ReadAnswer, expected: Expected): string[] {
  const { status, body } = answer;
  if (!listStatuses(call, expected.dialect).has(status)) return ['the status is not described'];
  if (status >= 400) return compareError(answer, expected);
  const missing = call.hasQuota
    ? Object.values(quotaHeader).filter((name) => answer.headers[name.toLowerCase()] === undefined)
    : [];
  const ofHeaders = missing.map((name) => `header ${name}: missing`);
  if (body === 'no JSON') return [...ofHeaders, 'the body: not JSON'];
  return [
    ...ofHeaders,
    ...(body === undefined
      ? compareNoBody(call, answer, expected)
      : compareBody(call, answer, body.json, expected)),
  ];
}

function listStatuses({ operation, name, resource }: KnownCall, dialect: Dialect | undefined): Set<number> {
  const statuses = new Set(Object.keys(listAnswers(operation)).map(Number));
  if (dialect === undefined || resource === undefined) return statuses;
  const { created, deleted } = dialect.kinds[resource.kind]?.item ?? dialect.item;
  const { missing } = dialect.kinds[resource.kind] ?? {};
  if (name === 'create') statuses.add(created.status);
  if (name === 'delete') statuses.add(deleted);
  if (missing !== undefined) statuses.add(missing);
  return statuses;
}

function compareError({ body }: ReadAnswer, { dialect, forms }: Expected): string[] {
  if (dialect?.errors === 'text') return [];
  if (body === undefined) return ['the error: no body'];
  if (body === 'no JSON') return ['the error: not JSON'];
  if (dialect === undefined)
    return compareFields(errorAnswerSchema, body.json).map((each) => `the error: ${each}`);
  const isKnown = readErrorTexts(body.json, forms.errors) !== undefined;
  return isKnown ? [] : [`the error: unexpected form, ${outline(body.json)}`];
}

function compareNoBody(
  { operation, name, resource }: KnownCall,
  { status }: ReadAnswer,
  { dialect }: Expected,
): string[] {
  if (name === 'delete' || listAnswers(operation)[status]?.schema === undefined) return [];
  const { created } = dialect?.kinds[resource?.kind ?? '']?.item ?? dialect?.item ?? {};
  return name === 'create' && created?.body === 'none' ? [] : ['the body: missing'];
}

function compareBody(call: KnownCall, answer: ReadAnswer, json: unknown, expected: Expected): string[] {
  const { operation, name, resource } = call;
  const described = Object.entries(listAnswers(operation)).find(([status]) => Number(status) < 300)?.[1]
    .schema;
  if (name === 'delete' || described === undefined) return [];
  const { dialect, forms } = expected;
  if (dialect === undefined) return compareFields(described, json);
  // Not compared, because the client reads quota records in many forms.
  if (resource === undefined) return [];
  const own = chooseForms(forms, resource.kind);
  const item = dialect.kinds[resource.kind]?.item ?? dialect.item;
  const schema = findItemSchema(resource, name);
  const compareItem = (found: Resource) => compareFields(schema, nameAsOurs(found, item));
  if (name !== 'list') {
    const found = readSingle(json, resource, own.item);
    return found === undefined ? [`the body: unexpected form, ${outline(json)}`] : compareItem(found);
  }
  const asked = { origin: 'http://a', prefix: '', target: operation.path };
  const page = readList({ value: json, headers: answer.headers, asked }, resource, own, isResource);
  if (page === undefined)
    return [`the body: not ${describeListPlaces(resource, own.list)}, but ${outline(json)}`];
  return [...new Set(page.data.flatMap(compareItem))].map((each) => `items[].${each}`);
}

const itemSchemas = new Map<string, z.ZodMiniType>();

function findItemSchema(resource: DeclaredResource, name: KnownCall['name']): z.ZodMiniType {
  const isCreated = name === 'create' && 'created' in resource;
  const key = `${resource.kind} ${isCreated}`;
  const schema = itemSchemas.get(key) ?? (isCreated ? resource.created() : resource.answer());
  itemSchemas.set(key, schema);
  return schema;
}

/** Gives fields the names that the schemas use, and converts numeric IDs to text. */
function nameAsOurs(found: Resource, { names, case: spelling, ids }: Dialect['item']): Resource {
  const ours = new Map(Object.entries(names).map(([own, theirs]) => [theirs, own]));
  const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(
    Object.entries(found).map(([name, value]) => {
      const own = ours.get(name) ?? (spelling === 'camel' ? toSnake(name) : name);
      return [own, own === 'id' && ids === 'number' && typeof value === 'number' ? String(value) : value];
    }),
  );
}
