import fc from 'fast-check';
import { quotaKinds } from '../../../src/api/resources/index.js';
import { z } from '../../../src/api/schema/schema.js';
import {
  bodySchemaOf,
  type DescribedCall,
  describedCalls,
  document,
  misfit,
} from '../../support/api-description.js';

/** What of JSON Schema the document uses. */
const schemaOfSchema = z.looseObject({
  $ref: z.optional(z.string()),
  anyOf: z.optional(z.array(z.unknown())),
  enum: z.optional(z.array(z.unknown())),
  const: z.optional(z.unknown()),
  type: z.optional(z.string()),
  properties: z.optional(z.record(z.string(), z.unknown())),
  required: z.optional(z.array(z.string())),
  additionalProperties: z.optional(z.unknown()),
  minLength: z.optional(z.int()),
  maxLength: z.optional(z.int()),
  pattern: z.optional(z.string()),
  minimum: z.optional(z.int()),
  maximum: z.optional(z.int()),
});
type Schema = z.infer<typeof schemaOfSchema>;

// What no body may have is said in words (the descriptions of bodies), and is for the tests of bodies.
const isStorable = (text: string) => !/\0|\p{Surrogate}|__proto__/u.test(text);
const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter(isStorable);
const anyJson = fc
  .jsonValue({ maxDepth: 2 })
  .filter((value) => isStorable(JSON.stringify(value)) && !/\\u0000/.test(JSON.stringify(value)));

/** Values that fit a schema, its bounds among them. */
function fitting(described: unknown): fc.Arbitrary<unknown> {
  const schema = schemaOfSchema.parse(described);
  if (schema.$ref !== undefined)
    return fitting(document.components.schemas[schema.$ref.split('/').at(-1) ?? '']);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(fitting));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.type === 'object') return fittingObject(schema);
  if (schema.type === 'string') return fittingText(schema);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type !== 'integer') return anyJson;
  const { minimum: min = -10, maximum: max = 10 } = schema;
  return fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max }));
}

function fittingText({ minLength = 0, maxLength = 40, pattern = '' }: Schema): fc.Arbitrary<string> {
  const bounds = fc.constantFrom('a'.repeat(Math.max(minLength, 1)), 'a'.repeat(maxLength));
  return fc
    .oneof(text, bounds)
    .filter(
      (value) => value.length >= minLength && value.length <= maxLength && new RegExp(pattern).test(value),
    );
}

function fittingObject({
  properties = {},
  required = [],
  additionalProperties,
}: Schema): fc.Arbitrary<unknown> {
  const own = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, fitting(part)])),
    { requiredKeys: required },
  );
  const more =
    additionalProperties === undefined ? fc.constant({}) : fc.dictionary(text, anyJson, { maxKeys: 2 });
  return fc.tuple(more, own).map(([others, named]) => ({ ...others, ...named }));
}

/** What is put into a body in the place of one of its values. */
const odd = fc.oneof(
  fc.constantFrom(null, '', -1, 0, 1.5, 65_536, 1e308, true, 'pg', 'a'.repeat(65), 'a'.repeat(256), [], {}),
  anyJson,
);

/** A value with one part of it gone, or another. */
function nearly(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return odd;
  const entries = Object.entries(value);
  if (entries.length === 0) return odd;
  return fc.constantFrom(...entries).chain(([name, part]) => {
    const others = Object.fromEntries(entries.filter(([other]) => other !== name));
    return fc.oneof(
      fc.constant(others),
      odd.map((replaced) => ({ ...value, [name]: replaced })),
      nearly(part).map((replaced) => ({ ...value, [name]: replaced })),
    );
  });
}

/** A body as it is sent, and whether the description allows it. */
export interface SentBody {
  readonly text: string;
  readonly contentType: string;
  readonly isJson: boolean;
  readonly fits: boolean;
}

function bodyOf(schema: unknown): fc.Arbitrary<SentBody> {
  const valid = fitting(schema);
  const value = fc.oneof({ weight: 3, arbitrary: valid }, { weight: 2, arbitrary: valid.chain(nearly) });
  const whole = value.map((sent) => ({
    text: JSON.stringify(sent),
    fits: misfit(schema, sent) === undefined,
  }));
  const cut = valid.map((sent) => ({ text: JSON.stringify(sent).slice(0, -1), fits: false }));
  const body = fc.oneof({ weight: 9, arbitrary: whole }, { weight: 1, arbitrary: cut });
  const type = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom('application/json', 'application/json; charset=utf-8') },
    { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/xml', 'application/jsonl') },
  );
  return fc.tuple(body, type).map(([sent, contentType]) => ({
    ...sent,
    contentType,
    isJson: /^application\/json\b/.test(contentType),
  }));
}

/** One request of a sequence. */
export interface Step {
  readonly call: DescribedCall;
  readonly kind: string;
  readonly auth: 'hmac' | 'basic';
  readonly body: SentBody | undefined;
  readonly query: Readonly<Record<string, string>>;
  readonly queryFits: boolean;
  /** Which of the resources that there are, where the call is for one; none of them where it is negative. */
  readonly which: number;
}

function stepOf(call: DescribedCall): fc.Arbitrary<Step> {
  const ofQuery = call.parameters.filter(({ in: place }) => place === 'query');
  const value = (schema: unknown) =>
    fc.oneof(fitting(schema).map(String), fc.constantFrom('0', '-1', '1.5', '101', 'x', ''));
  const query: fc.Arbitrary<Record<string, string>> = fc
    .tuple(
      ...ofQuery.map(({ name, schema }) => fc.option(value(schema).map((sent) => [name, sent] as const))),
    )
    .map((given) => Object.fromEntries(given.filter((one) => one !== null)));
  const fits = (given: Record<string, string>) =>
    ofQuery.every(({ name, schema }) => {
      const sent = given[name];
      return sent === undefined || (/^[1-9]\d*$/.test(sent) && misfit(schema, Number(sent)) === undefined);
    });
  const schema = bodySchemaOf(call);
  return fc
    .record({
      call: fc.constant(call),
      kind: fc.constant(call.path.split('/')[1] ?? ''),
      auth: fc.constantFrom('hmac', 'basic'),
      body: schema === undefined ? fc.constant(undefined) : bodyOf(schema),
      which: fc.integer({ min: -1, max: 9 }),
      query,
    })
    .map((step) => ({ ...step, queryFits: fits(step.query), [fc.toStringMethod]: () => inShort(step) }));
}

/** A step as a report of a failure shows it. */
function inShort({ call, auth, which, query, body }: Omit<Step, 'queryFits'>): string {
  const sent = body === undefined ? '' : ` ${body.contentType} ${body.text}`;
  const parameters = JSON.stringify({ which, ...query });
  return `${call.method} ${call.path} ${parameters} ${auth}${sent}`;
}

const ofKinds = describedCalls.filter(({ path }) => quotaKinds.some((kind) => path.startsWith(`/${kind}`)));
const creations = ofKinds.filter(({ method }) => method === 'POST');

/** Requests to resources one after the other; creations come often enough that there is something to ask for. */
export const sequences: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.oneof(...creations.map(stepOf)) },
    { weight: 2, arbitrary: fc.oneof(...ofKinds.map(stepOf)) },
  ),
  { minLength: 1, maxLength: 15, size: 'max' },
);
