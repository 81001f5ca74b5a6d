import { connections, isPostgres, postgresDefaults } from '../../api/resources/connection.js';
import { isResource, type Resource } from '../../api/resources/resource.js';
import { z } from '../../api/schema/schema.js';

export interface PlacedReference {
  readonly reference: SecretReference;
  readonly path: readonly (string | number)[];
}

/** The key of a marker: `{ $secret: REFERENCE }`. */
export const markerKey = '$secret';

const referenceText = z.string().check(z.minLength(1));
const sources = [
  z.strictObject({ env: referenceText }),
  z.strictObject({ file: referenceText }),
  z.strictObject({ command: referenceText }),
] as const;

/** For settings that are declared as secret; others need a marker. */
export const referenceSchema = z.union(
  sources,
  'must be a reference to a secret, never the secret itself: { env: NAME }, { file: path } or { command: line }',
);
export type SecretReference = z.infer<typeof referenceSchema>;

export const markerForms = `{ ${markerKey}: { env: NAME } } (or file, or command)`;

export const markerSchema = z.union(
  sources.map((source) => z.strictObject({ [markerKey]: source })),
  `must be a reference to a secret, never the secret itself: ${markerForms}`,
);

/** Checks only the form; the place of the value decides whether it is a reference. */
function isReference(value: unknown): value is SecretReference {
  return referenceSchema.safeParse(value).success;
}

/** @param secretSettings may hold references without a marker */
export function replaceReferences(
  settings: Resource,
  secretSettings: readonly string[],
  replace: (placed: PlacedReference) => unknown,
): Resource {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      const isBare = secretSettings.includes(name) && isReference(value);
      return [
        name,
        isBare ? replace({ reference: value, path: [name] }) : replaceWithin(value, [name], replace),
      ];
    }),
  );
}

function replaceWithin(
  value: unknown,
  path: readonly (string | number)[],
  replace: (placed: PlacedReference) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((member, at) => replaceWithin(member, [...path, at], replace));
  if (!isResource(value)) return value;
  const { [markerKey]: reference, ...others } = value;
  if (isReference(reference) && Object.keys(others).length === 0) return replace({ reference, path });
  const fields = Object.entries(value);
  return Object.fromEntries(
    fields.map(([name, inner]) => [name, replaceWithin(inner, [...path, name], replace)]),
  );
}

export interface SettingProblem {
  readonly path: readonly (string | number)[];
  readonly what: string;
}

export type FoundSecret = { readonly secret: string } | { readonly what: string };

/** Puts secrets in place of references, and PostgreSQL's default in place of a missing `port` or `ssl`. */
export function completeSettings(
  type: unknown,
  config: Readonly<Resource>,
  findSecret: (reference: SecretReference) => FoundSecret,
): { readonly config: Resource; readonly problems: readonly SettingProblem[] } {
  const problems: SettingProblem[] = [];
  const read = replaceReferences(config, connections.secretSettings(type), ({ reference, path }) => {
    const found = findSecret(reference);
    if ('secret' in found) return found.secret;
    problems.push({ path, what: found.what });
    return '';
  });
  return { config: isPostgres(type) ? { ...read, ...missingDefaults(read) } : read, problems };
}

export function missingDefaults(config: Readonly<Resource>): Resource {
  return Object.fromEntries(
    Object.entries(postgresDefaults).filter(([name]) => !Object.hasOwn(config, name)),
  );
}
