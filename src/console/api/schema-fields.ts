import { type ApiDocument, type DocumentSchema, resolveSchema } from '../session/api-document.js';

export interface SchemaField {
  /** From the outermost object, such as `config.host` or `data[].id`; `*` stands for any name. */
  readonly path: string;
  /** Such as `string`, or `array of objects`. */
  readonly type: string;
  readonly isRequired: boolean;
  /** Rules for the value, such as `1 to 255 characters`, or `postgresql or pg`. */
  readonly limits: string;
}

export function listShapes(schema: DocumentSchema, document: ApiDocument): DocumentSchema[] {
  const { anyOf = [], ...whole } = resolveSchema(schema, document);
  return anyOf.length === 0 ? [whole] : anyOf.map((shape) => resolveSchema(shape, document));
}

export function listFields(schema: DocumentSchema, document: ApiDocument, path = ''): SchemaField[] {
  const { properties = {}, required = [], additionalProperties, items } = resolveSchema(schema, document);
  const further = isAnything(additionalProperties) ? {} : { '*': additionalProperties };
  const fields = Object.entries({ ...properties, ...further }).flatMap(([name, part]) =>
    fieldsFrom(part, `${path === '' ? '' : `${path}.`}${name}`, required.includes(name), document),
  );
  return items === undefined ? fields : [...fields, ...listFields(items, document, `${path}[]`)];
}

function fieldsFrom(
  part: DocumentSchema,
  path: string,
  isRequired: boolean,
  document: ApiDocument,
): SchemaField[] {
  const known = resolveSchema(part, document);
  const field = { path, type: describeType(known, document), isRequired, limits: describeLimits(known) };
  return [field, ...listFields(known, document, path)];
}

function isAnything(schema: DocumentSchema | undefined): schema is undefined {
  return schema === undefined || Object.keys(schema).length === 0;
}

export function describeType(schema: DocumentSchema, document: ApiDocument): string {
  const { type, anyOf, items, format } = resolveSchema(schema, document);
  if (anyOf !== undefined) return anyOf.map((one) => describeType(one, document)).join(' or ');
  if (items !== undefined) return `array of ${describeType(items, document)}s`;
  return format ?? type ?? 'anything';
}

/** The rules for a value beyond its type, in words; empty if there are none. */
export function describeLimits(schema: DocumentSchema): string {
  const { minLength, maxLength, minimum, maximum, pattern, additionalProperties } = schema;
  const limits = [
    schema.enum?.map(String).join(' or '),
    schema.const === undefined ? undefined : `only ${schema.const}`,
    range(minLength, maxLength, 'character'),
    range(minimum, maximum),
    pattern === undefined ? undefined : `matches ${pattern}`,
    schema.default === undefined ? undefined : `default ${schema.default}`,
    additionalProperties && isAnything(additionalProperties) ? 'any further fields' : undefined,
  ];
  return limits.filter((limit) => limit !== undefined).join(', ');
}

function range(from: number | undefined, to: number | undefined, unit = ''): string | undefined {
  if (from === undefined && to === undefined) return undefined;
  const of = (count: number) => (unit === '' ? '' : ` ${unit}${count === 1 ? '' : 's'}`);
  if (to === undefined) return `at least ${showCount(from)}${of(from ?? 0)}`;
  if (from === undefined) return `at most ${showCount(to)}${of(to)}`;
  return from === to ? `${showCount(to)}${of(to)}` : `${showCount(from)} to ${showCount(to)}${of(to)}`;
}

function showCount(count: number | undefined): string {
  return (count ?? 0).toLocaleString('en');
}
