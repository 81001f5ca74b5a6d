import { isResource } from '../../api/resources/resource.js';
import { z } from '../../api/schema/schema.js';

const jsonSchema = z.looseObject({
  properties: z.optional(z.record(z.string(), z.unknown())),
  items: z.optional(z.unknown()),
});

/** The most items of a list that are looked at. */
const mostItems = 100;

/** What the schemas of answers have, by schema. */
const written = new WeakMap<z.ZodMiniType, unknown>();

/** How a value differs from a schema: fields that are missing, of another type, or new. Only names are told. */
export function compareFields(schema: z.ZodMiniType, value: unknown): string[] {
  const asJson = written.get(schema) ?? z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  written.set(schema, asJson);
  return [...new Set([...listMisfits(schema, value), ...listNewFields(asJson, value, '')])];
}

/** Zod uses up the stack when it passes on a hundred thousand issues of one list. */
function listMisfits(schema: z.ZodMiniType, value: unknown): string[] {
  try {
    return z.safeParse(schema, value).error?.issues.map(describeMisfit) ?? [];
  } catch (error) {
    if (error instanceof RangeError) return ['more is wrong than can be listed'];
    throw error;
  }
}

function describeMisfit(issue: z.core.$ZodIssue): string {
  const place = describePlace(issue.path);
  const isMissing = issue.code === 'invalid_type' && /received undefined$/.test(issue.message);
  if (isMissing) return `${place}: missing`;
  return `${place}: ${issue.message.replace(/^Invalid input: /, '')}`;
}

/** A path without the numbers of items: what is wrong with one is wrong with all. */
function describePlace(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === 'number' ? '[]' : `.${nameField(String(part))}`)).join('');
  return text.replace(/^\./, '') || 'the body';
}

function listNewFields(schema: unknown, value: unknown, place: string): string[] {
  const known = z.safeParse(jsonSchema, schema).data;
  if (known === undefined) return [];
  if (Array.isArray(value)) {
    return value.slice(0, mostItems).flatMap((item) => listNewFields(known.items, item, `${place}[]`));
  }
  const { properties } = known;
  if (properties === undefined || !isResource(value)) return [];
  return Object.keys(value).flatMap((name) => {
    const inner = place === '' ? nameField(name) : `${place}.${nameField(name)}`;
    if (!Object.hasOwn(properties, name)) return [`${inner}: new`];
    return listNewFields(properties[name], value[name], inner);
  });
}

/** A long name may be a value. */
function nameField(name: string): string {
  return name.length > 40 ? `"${name.slice(0, 8)}…"` : name;
}
