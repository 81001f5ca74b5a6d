import { isResource, type Resource } from '../../api/resources/resource.js';
import { z } from '../../api/schema/schema.js';

/**
 * References to secrets in an organization's file (contract, section 7). They stand bare only where a declaration has a
 * secret; anywhere else the file marks them. All other data is data, whatever it looks like.
 */

/** Where a secret is read from. */
export type SecretReference =
  | { readonly env: string }
  | { readonly file: string }
  | { readonly command: string };

/** A reference and its path, from the settings that it is in. */
export interface PlacedReference {
  readonly reference: SecretReference;
  readonly path: readonly (string | number)[];
}

/** The only key of an object that marks a reference; no setting has this name. */
export const markerKey = '$secret';

const text = z.string().check(z.minLength(1));
const sources = [
  z.strictObject({ env: text }),
  z.strictObject({ file: text }),
  z.strictObject({ command: text }),
] as const;

/** A reference where a declaration has a secret. */
export const referenceSchema = z.union(
  sources,
  'must be a reference to a secret, and never the secret: { env: NAME }, { file: path } or { command: line }',
);

/** What is to be written for a secret anywhere else. */
export const markerForms = `{ ${markerKey}: { env: NAME } } (or file, or command)`;

/** A marked reference. */
export const markerSchema = z.union(
  sources.map((source) => z.strictObject({ [markerKey]: source })),
  `must be a reference to a secret, and never the secret: ${markerForms}`,
);

const sourceNames: ReadonlySet<string> = new Set(['env', 'file', 'command']);

/** Whether a value has the form of a reference; whether it is one depends on where it stands. */
export function isReference(value: unknown): value is SecretReference {
  if (!isResource(value)) return false;
  const [[key, where] = [], ...more] = Object.entries(value);
  return more.length === 0 && sourceNames.has(key ?? '') && typeof where === 'string';
}

/**
 * Settings with other values in the place of their references. Objects and lists are copied.
 *
 * @param secretSettings names of the settings in which a reference stands bare
 */
export function replaceReferences(
  settings: Resource,
  secretSettings: readonly string[],
  replace: (placed: PlacedReference) => unknown,
): Resource {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      const isBare = secretSettings.includes(name) && isReference(value);
      return [name, isBare ? replace({ reference: value, path: [name] }) : replaced(value, [name], replace)];
    }),
  );
}

function replaced(
  value: unknown,
  path: readonly (string | number)[],
  replace: (placed: PlacedReference) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((member, at) => replaced(member, [...path, at], replace));
  if (!isResource(value)) return value;
  const { [markerKey]: reference, ...others } = value;
  if (isReference(reference) && Object.keys(others).length === 0) return replace({ reference, path });
  const fields = Object.entries(value);
  return Object.fromEntries(fields.map(([name, inner]) => [name, replaced(inner, [...path, name], replace)]));
}
