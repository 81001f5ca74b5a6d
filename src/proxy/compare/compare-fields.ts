import { isResource } from '../../api/resources/resource.js';
import { z } from '../../api/schema/schema.js';

/** How many items of a list are searched for new fields. */
const maxItems = 100;

/** Lists fields that are missing, new or invalid, without their values. */
export function compareFields(schema: z.ZodMiniType, value: unknown): string[] {
  return [...new Set([...listMisfits(schema, value), ...listNewFields(schema, value, '')])];
}

/** zod overflows the stack if a list has too many invalid items. */
function listMisfits(schema: z.ZodMiniType, value: unknown): string[] {
  try {
    return z.safeParse(schema, value).error?.issues.map(describeMisfit) ?? [];
  } catch (error) {
    if (error instanceof RangeError) return ['too many problems to list'];
    throw error;
  }
}

function describeMisfit(issue: z.core.$ZodIssue): string {
  const place = describePlace(issue.path);
  return issue.message.startsWith('required') ? `${place}: missing` : `${place}: ${issue.message}`;
}

/** A path without item numbers, so that a problem of several items is listed once. */
function describePlace(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === 'number' ? '[]' : `.${nameField(String(part))}`)).join('');
  return text.replace(/^\./, '') || 'the body';
}

function listNewFields(schema: unknown, value: unknown, place: string): string[] {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable) {
    return listNewFields(schema.def.innerType, value, place);
  }
  if (schema instanceof z.ZodMiniArray && Array.isArray(value)) {
    const { element } = schema.def;
    return value.slice(0, maxItems).flatMap((item) => listNewFields(element, item, `${place}[]`));
  }
  if (!(schema instanceof z.ZodMiniObject) || !isResource(value)) return [];
  const fields = new Map<string, unknown>(Object.entries(schema.def.shape));
  return Object.keys(value).flatMap((name) => {
    const inner = place === '' ? nameField(name) : `${place}.${nameField(name)}`;
    return fields.has(name) ? listNewFields(fields.get(name), value[name], inner) : [`${inner}: new`];
  });
}

/** Shortens a long name, because it may really be a value. */
function nameField(name: string): string {
  return name.length > 40 ? `"${name.slice(0, 8)}…"` : name;
}
