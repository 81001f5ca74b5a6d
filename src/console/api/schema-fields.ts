import { type ApiDocument, type JsonSchema, resolved } from '../session/api-document.js';

export interface Field {
  /** From the outermost object: `config.host`, `data[].id`; `*` for any name. */
  readonly path: string;
  /** Such as `string`, or `array of objects`. */
  readonly type: string;
  readonly isRequired: boolean;
  /** What its value has to be: `1 to 255 characters`, `postgresql or pg`. */
  readonly limits: string;
}

export function shapesOf(schema: JsonSchema, document: ApiDocument): JsonSchema[] {
  const { anyOf = [], ...whole } = resolved(schema, document);
  return anyOf.length === 0 ? [whole] : anyOf.map((shape) => resolved(shape, document));
}

/** Every field of an object, those of objects within it after it. */
export function fieldsOf(schema: JsonSchema, document: ApiDocument, path = ''): Field[] {
  const { properties = {}, required = [], additionalProperties, items } = resolved(schema, document);
  const further = isAnything(additionalProperties) ? {} : { '*': additionalProperties };
  const fields = Object.entries({ ...properties, ...further }).flatMap(([name, part]) =>
    fieldsFrom(part, `${path === '' ? '' : `${path}.`}${name}`, required.includes(name), document),
  );
  return items === undefined ? fields : [...fields, ...fieldsOf(items, document, `${path}[]`)];
}

function fieldsFrom(part: JsonSchema, path: string, isRequired: boolean, document: ApiDocument): Field[] {
  const known = resolved(part, document);
  const field = { path, type: typeOf(known, document), isRequired, limits: limitsOf(known) };
  return [field, ...fieldsOf(known, document, path)];
}

function isAnything(schema: JsonSchema | undefined): schema is undefined {
  return schema === undefined || Object.keys(schema).length === 0;
}

export function typeOf(schema: JsonSchema, document: ApiDocument): string {
  const { type, anyOf, items, format } = resolved(schema, document);
  if (anyOf !== undefined) return anyOf.map((one) => typeOf(one, document)).join(' or ');
  if (items !== undefined) return `array of ${typeOf(items, document)}s`;
  return format ?? type ?? 'anything';
}

/** What a value has to be beside its type, in words; empty where it may be anything. */
export function limitsOf(schema: JsonSchema): string {
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
  if (to === undefined) return `at least ${shown(from)}${of(from ?? 0)}`;
  if (from === undefined) return `at most ${shown(to)}${of(to)}`;
  return from === to ? `${shown(to)}${of(to)}` : `${shown(from)} to ${shown(to)}${of(to)}`;
}

function shown(count: number | undefined): string {
  return (count ?? 0).toLocaleString('en');
}
