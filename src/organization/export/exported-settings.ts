import { isHarmlessSetting, isPostgres, postgresConfigSchema } from '../../api/resources/connection.js';
import { isResource, type Resource } from '../../api/resources/resource.js';
import { isSameValue, readSwitch } from '../../api/resources/same-value.js';
import type { z } from '../../api/schema/schema.js';
import { markerKey } from '../../input/forms/secret-reference.js';
import { listSecretSettings } from '../declaration/organization-file.js';

export interface ExportedSettings {
  readonly config: Resource;
  readonly replaced: readonly string[];
  /** Names of possible secrets that no reference can replace, such as numbers. */
  readonly leftOut: readonly string[];
}

/** Possible secrets that are nested deeper are left out. */
const deepestSetting = 16;

/** Replaces possible secrets with references. `checkFile` later rejects markers that the service itself returned. */
export function exportedSettings(
  connection: Resource,
  variableFor: (path: readonly (string | number)[]) => string,
): ExportedSettings {
  const { type, config } = connection;
  const shown = isResource(config) ? config : {};
  // Services do not return PostgreSQL passwords, so each gets a reference.
  const bare = listSecretSettings(connection);
  const isTyped = isPostgres(type);
  const others = Object.entries(shown)
    .filter(([name, value]) => !bare.includes(name) && value !== null)
    .map(([name, value]) => [name, isTyped ? toDeclaredType(name, value) : value] as const);
  const [replaced, leftOut]: [string[], string[]] = [[], []];
  const kept = others.flatMap(([name, value]) => {
    if (isHarmlessSetting(name, value)) return [[name, value] as const];
    const marked = withReferences(value, [name], variableFor);
    (marked === undefined ? leftOut : replaced).push(name);
    return marked === undefined ? [] : [[name, marked] as const];
  });
  const references = bare.map((name) => [name, { env: variableFor([name]) }] as const);
  return { config: orderConfig(Object.fromEntries([...kept, ...references])), replaced, leftOut };
}

const declaredSettings = new Map<string, z.ZodMiniType>(Object.entries(postgresConfigSchema().shape));

/** Gives a PostgreSQL setting the type that a file requires: services may return the port as text. */
function toDeclaredType(name: string, value: unknown): unknown {
  const schema = declaredSettings.get(name);
  if (schema === undefined || schema.safeParse(value).success) return value;
  const spellings = [Number(value), String(value), readSwitch(value)];
  const isFitting = (one: unknown) =>
    isSameValue(`config.${name}`, value, one) && schema.safeParse(one).success;
  return spellings.find(isFitting) ?? value;
}

/** Replaces strings in a value with marked references; `undefined` if any part cannot be one, such as a number. */
function withReferences(
  value: unknown,
  path: readonly (string | number)[],
  variableFor: (path: readonly (string | number)[]) => string,
): unknown {
  // A referenced variable must not be empty.
  if (typeof value === 'string' && value !== '') return { [markerKey]: { env: variableFor(path) } };
  if (path.length > deepestSetting) return undefined;
  if (Array.isArray(value)) {
    const members = value.map((member, at) => withReferences(member, [...path, at], variableFor));
    return members.includes(undefined) ? undefined : members;
  }
  if (!isResource(value)) return undefined;
  const fields = Object.entries(value).map(
    ([name, inner]) => [name, withReferences(inner, [...path, name], variableFor)] as const,
  );
  return fields.some(([, inner]) => inner === undefined) ? undefined : Object.fromEntries(fields);
}

const postgresOrder = Object.keys(postgresConfigSchema().shape);

/** Fields in the order of the API reference, then the others by name. */
function orderConfig(config: Resource): Resource {
  const known = postgresOrder.filter((name) => Object.hasOwn(config, name));
  const others = Object.keys(config)
    .filter((name) => !postgresOrder.includes(name))
    .sort();
  return Object.fromEntries([...known, ...others].map((name) => [name, config[name]]));
}
