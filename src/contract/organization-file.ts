import { isResource, nameSchema, type Resource } from './resource.js';
import { apiKeys } from './resources/api-key.js';
import {
  connections,
  isPostgres,
  otherTypeSchema,
  postgresConfigSchema,
  postgresTypes,
} from './resources/connection.js';
import type { DeclaredResource, ResourceKind } from './resources/index.js';
import { teams } from './resources/team.js';
import { z } from './schema.js';

/** An organization as a file (contract, section 7). All of it is ours: the API reference knows no such file. */

/** The kinds in the order in which a file has them. */
export const kindsOfFile: readonly DeclaredResource[] = [connections, teams, apiKeys];

/** The kinds in the order in which they are made. */
export const kindsInMaking: readonly DeclaredResource[] = [teams, connections, apiKeys];

export const fileVersion = 1;

/** Bytes that a file may have. */
export const mostFileBytes = 16 * 1024 * 1024;

const text = z.string().check(z.minLength(1));

/** Where a secret is read from. */
export type SecretReference =
  | { readonly env: string }
  | { readonly file: string }
  | { readonly command: string };

const referenceForms = '{ env: NAME }, { file: path } or { command: line }';

const referenceSchema = z.union(
  [z.strictObject({ env: text }), z.strictObject({ file: text }), z.strictObject({ command: text })],
  `must be a reference to a secret, and never the secret: ${referenceForms}`,
);

const referenceKeys: ReadonlySet<string> = new Set(['env', 'file', 'command']);

/** Whether a value of a connection's settings is a reference to a secret. */
export function isReference(value: unknown): value is SecretReference {
  if (!isResource(value)) return false;
  const [[key, where] = [], ...more] = Object.entries(value);
  return more.length === 0 && referenceKeys.has(key ?? '') && typeof where === 'string';
}

/** Whether a reference is anywhere in a value. */
export function hasReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isReference(value) || Object.values(value).some(hasReference);
}

/** Where the secret of a new API key is put. */
const targetSchema = z.union(
  [z.strictObject({ file: text }), z.strictObject({ profile: text }), z.strictObject({ command: text })],
  'must be one of { file: path }, { profile: NAME } and { command: line }',
);
export type SecretTarget = z.infer<typeof targetSchema>;

/** What tells which resource an entry is of; no field of the resource but `name`. */
const identity = {
  name: nameSchema,
  /** Pins the entry to a resource, whatever its name is. */
  id: z.optional(text),
  /** The name that the resource has where it has not the new one yet. */
  renamed_from: z.optional(nameSchema),
};

/** Fields of an entry that are none of the resource. */
const aboutEntry: ReadonlySet<string> = new Set(['id', 'renamed_from', 'secret_to']);

/** An entry: what tells the resource, and those of its fields that are to be as they stand there. */
export interface OrganizationEntry extends Resource {
  readonly name: string;
  readonly id?: string;
  readonly renamed_from?: string;
  readonly secret_to?: SecretTarget;
}

/** The fields of the resource that an entry names. */
export function fieldsOf(entry: OrganizationEntry): Resource {
  return Object.fromEntries(Object.entries(entry).filter(([field]) => !aboutEntry.has(field)));
}

const postgresEntry = z.strictObject({
  ...identity,
  type: z.optional(z.enum(postgresTypes)),
  config: z.optional(z.partial(z.extend(postgresConfigSchema, { password: referenceSchema }))),
});
const otherEntry = z.strictObject({
  ...identity,
  type: otherTypeSchema,
  config: z.optional(z.looseObject({ password: z.optional(referenceSchema) })),
});

/** Entries that differ from the fields of their resource. */
const ownEntries: Partial<Record<ResourceKind, z.ZodMiniType>> = {
  connections: z.union([postgresEntry, otherEntry]),
  'api-keys': z.strictObject({
    ...identity,
    enabled: z.optional(z.boolean()),
    secret_to: z.optional(targetSchema),
  }),
};

/** An entry of a kind; by default the body of its POST, of which all but the name may be left out. */
function entrySchemaOf({ kind, input }: DeclaredResource): z.ZodMiniType {
  const fields = 'shape' in input ? z.partial(input).shape : {};
  return ownEntries[kind] ?? z.strictObject({ ...fields, ...identity });
}

/** The schema that fits an entry, so that its errors speak of the entry's own type alone. */
export function entrySchemaFor(resource: DeclaredResource, entry: unknown): z.ZodMiniType {
  if (resource.kind !== connections.kind) return entrySchemaOf(resource);
  const type = isResource(entry) ? entry['type'] : undefined;
  return type === undefined || isPostgres(type) ? postgresEntry : otherEntry;
}

const versionSchema = z.literal(fileVersion, `must be ${fileVersion}, the only version that there is`);

function fileSchema(entries: (resource: DeclaredResource) => z.ZodMiniType) {
  const lists = kindsOfFile.map(
    (resource) => [resource.kind, z.optional(z.array(entries(resource)))] as const,
  );
  return z.strictObject({
    $schema: z.optional(z.string()),
    version: versionSchema,
    ...Object.fromEntries(lists),
  });
}

/** The file but for its entries, which `entrySchemaFor` checks one by one. */
export const outlineSchema = fileSchema(() => z.unknown());

/** The file with its entries. */
export function wholeFileSchema() {
  return fileSchema(entrySchemaOf);
}
