import { isHarmlessSetting, postgresConfigSchema } from '../../api/resources/connection.js';
import { isResource, type Resource } from '../../api/resources/resource.js';
import { secretSettingsOf } from '../declaration/organization-file.js';
import { markerKey } from '../declaration/secret-reference.js';

/** The settings of a connection as a file has them. */
export interface ExportedSettings {
  readonly config: Resource;
  /** Settings that are references now. */
  readonly replaced: readonly string[];
  /** Settings that may hold a secret and are no text, which is all that a reference stands for. */
  readonly leftOut: readonly string[];
}

/** Levels of a setting's lists and objects: no more have a reference in them. */
const deepest = 16;

/**
 * The settings of a connection, in clear only what is harmless. Each reference in the result was made here: of what the
 * service returned nothing is written but plain values and the names of fields, whatever it looks like. A mark among these
 * names is no reference: `checkFile` refuses it, so that it is left out afterwards.
 *
 * @param variableFor the environment variable for a value, by its path from the settings
 */
export function exportedSettings(
  connection: Resource,
  variableFor: (path: readonly (string | number)[]) => string,
): ExportedSettings {
  const { type, config } = connection;
  const shown = isResource(config) ? config : {};
  // Of a known type a secret is there although the service does not return it; of an unknown one nothing says so.
  const bare = type === undefined ? [] : secretSettingsOf(connection);
  const others = Object.entries(shown).filter(([name, value]) => !bare.includes(name) && value !== null);
  const [replaced, leftOut]: [string[], string[]] = [[], []];
  const kept = others.flatMap(([name, value]) => {
    if (isHarmlessSetting(name, value)) return [[name, value] as const];
    const marked = withReferences(value, [name], variableFor);
    (marked === undefined ? leftOut : replaced).push(name);
    return marked === undefined ? [] : [[name, marked] as const];
  });
  const references = bare.map((name) => [name, { env: variableFor([name]) }] as const);
  return { config: inOrder(Object.fromEntries([...kept, ...references])), replaced, leftOut };
}

/** The value with a marked reference for each text in it; `undefined` where anything else is in it. */
function withReferences(
  value: unknown,
  path: readonly (string | number)[],
  variableFor: (path: readonly (string | number)[]) => string,
): unknown {
  // No variable that a reference names may be empty.
  if (typeof value === 'string' && value !== '') return { [markerKey]: { env: variableFor(path) } };
  if (path.length > deepest) return undefined;
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

const postgresFields = Object.keys(postgresConfigSchema.shape);

/** The fields of the reference in its order, then the others by name. */
function inOrder(config: Resource): Resource {
  const known = postgresFields.filter((name) => Object.hasOwn(config, name));
  const others = Object.keys(config)
    .filter((name) => !postgresFields.includes(name))
    .sort();
  return Object.fromEntries([...known, ...others].map((name) => [name, config[name]]));
}
