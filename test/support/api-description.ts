import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { apiDocument } from '../../src/api/openapi.js';
import { z } from '../../src/api/schema/schema.js';

// Schemas of the parts of the OpenAPI document that tests read.
const headerSchema = z.object({ required: z.boolean(), schema: z.unknown() });
const exampleSchema = z.object({ value: z.object({ statusCode: z.int(), message: z.string() }) });
const contentSchema = z.record(
  z.string(),
  z.object({ schema: z.unknown(), examples: z.optional(z.record(z.string(), exampleSchema)) }),
);
const answerSchema = z.object({
  headers: z.optional(z.record(z.string(), headerSchema)),
  content: z.optional(contentSchema),
});
const parameterSchema = z.object({ name: z.string(), in: z.enum(['query', 'path']), schema: z.unknown() });
const operationSchema = z.object({
  operationId: z.string(),
  parameters: z.optional(z.array(parameterSchema)),
  requestBody: z.optional(z.object({ content: contentSchema })),
  responses: z.record(z.string(), answerSchema),
});
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    responses: z.record(z.string(), answerSchema),
  }),
});

const written = JSON.parse(JSON.stringify(apiDocument()));

/** Puts what references mean in their place, except schemas: those, Ajv resolves. */
function resolved(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(resolved);
  const [, group = '', name = ''] =
    '$ref' in part ? (/^#\/components\/(\w+)\/(.+)$/.exec(String(part.$ref)) ?? []) : [];
  if (group !== '' && group !== 'schemas') return resolved(written.components[group][name]);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolved(value)]));
}

export const document = documentSchema.parse(resolved(written));
export type DescribedAnswer = z.infer<typeof answerSchema>;

const ajv = new Ajv2020({
  code: { optimize: false },
  formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ },
});
for (const keyword of ['components', 'x-source']) ajv.addKeyword(keyword);

const compiled = new Map<string, ValidateFunction>();

/** How a value violates its schema; `undefined` if it fits. */
export function misfit(schema: unknown, value: unknown, { closed = false } = {}): string | undefined {
  const text = JSON.stringify([schema, closed]);
  const validate = compiled.get(text) ?? compile(schema, closed);
  compiled.set(text, validate);
  return validate(value) ? undefined : ajv.errorsText(validate.errors);
}

function compile(schema: unknown, closed: boolean): ValidateFunction {
  const { schemas } = document.components;
  const whole = { allOf: [schema], components: { schemas } };
  return ajv.compile(z.parse(z.looseObject({}), closed ? withoutMore(whole) : whole));
}

/** Readers accept further fields; our own server must send none. */
function withoutMore(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(withoutMore);
  const parts = Object.entries(schema).map(([key, part]) => [key, withoutMore(part)]);
  const open = 'properties' in schema && !('additionalProperties' in schema);
  return { ...Object.fromEntries(parts), ...(open && { additionalProperties: false }) };
}

export interface DescribedCall extends z.infer<typeof operationSchema> {
  readonly method: string;
  /** As the document writes it, such as `/teams/{id}`. */
  readonly path: string;
}

export const describedCalls: readonly DescribedCall[] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ ...call, method: method.toUpperCase(), path })),
);

export function describedAnswer({ responses }: DescribedCall, status: number): DescribedAnswer | undefined {
  return responses[String(status)];
}

export function exampleErrors({ content }: DescribedAnswer): { statusCode: number; message: string }[] {
  return Object.values(content?.['application/json']?.examples ?? {}).map(({ value }) => value);
}

export function bodySchemaOf({ requestBody }: DescribedCall): unknown {
  return requestBody?.content['application/json']?.schema;
}

export interface Exchange {
  readonly method: string;
  readonly target: string;
  readonly contentType?: string | undefined;
  readonly body: Buffer;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** How an exchange violates the document. */
export function notAsDescribed(exchange: Exchange): string[] {
  const call = callOf(exchange);
  if (call === undefined) return [];
  const answer = describedAnswer(call, exchange.status);
  if (answer === undefined) return [`status ${exchange.status} of ${call.operationId} is not described`];
  const found = [...inAnswer(answer, exchange), ...(exchange.status < 300 ? inRequest(call, exchange) : [])];
  return found.map((problem) => `${call.operationId}, ${exchange.status}: ${problem}`);
}

function callOf({ method, target }: Exchange): DescribedCall | undefined {
  const [path = ''] = target.split('?');
  return describedCalls.find(
    (call) => call.method === method && new RegExp(`^${call.path.replace('{id}', '[^/]+')}$`).test(path),
  );
}

function inAnswer({ headers = {}, content }: DescribedAnswer, exchange: Exchange): string[] {
  const ofHeaders = Object.entries(headers).flatMap(([name, { required, schema }]) => {
    const value = exchange.headers[name.toLowerCase()];
    if (value === undefined) return required ? [`no ${name}`] : [];
    return misfit(schema, Number(value)) === undefined ? [] : [`${name}: ${value}`];
  });
  const schema = content?.['application/json']?.schema;
  if (schema === undefined) return [...ofHeaders, ...(exchange.text === '' ? [] : ['a body'])];
  const problem = misfit(schema, JSON.parse(exchange.text), { closed: true });
  return problem === undefined ? ofHeaders : [...ofHeaders, `${problem}: ${exchange.text}`];
}

/** A request that was carried out must match the document. */
function inRequest(call: DescribedCall, { target, contentType, body }: Exchange): string[] {
  const query = new URL(target, 'http://a').searchParams;
  const ofQuery = (call.parameters ?? []).flatMap(({ name, in: place, schema }) => {
    const value = place === 'query' ? query.get(name) : null;
    return value === null || misfit(schema, Number(value)) === undefined ? [] : [`${name}=${value}`];
  });
  const schema = bodySchemaOf(call);
  if (schema === undefined) return ofQuery;
  const ofType = /^application\/json\s*(;|$)/i.test(contentType ?? '') ? [] : [`content type ${contentType}`];
  const problem = misfit(schema, JSON.parse(body.toString('utf8').replace(/^\uFEFF/, '')));
  return [...ofQuery, ...ofType, ...(problem === undefined ? [] : [`the request: ${problem}`])];
}
