import { apiKeys } from '../../api/resources/api-key.js';
import {
  connections,
  isPostgres,
  otherTypeSchema,
  postgresConfigSchema,
  postgresTypes,
} from '../../api/resources/connection.js';
import type { DeclaredResource, ResourceKind } from '../../api/resources/index.js';
import { isResource, nameSchema, type Resource } from '../../api/resources/resource.js';
import { teams } from '../../api/resources/team.js';
import { z } from '../../api/schema/schema.js';
import {
  isReference,
  markerForms,
  markerKey,
  markerSchema,
  type PlacedReference,
  referenceSchema,
  replaceReferences,
} from './secret-reference.js';

/** An organization as a file (contract, section 7). All of it is ours: the API reference knows no such file. */

/** The kinds in the order in which a file has them. */
export const kindsOfFile: readonly DeclaredResource[] = [connections, teams, apiKeys];

/** The kinds in the order in which they are made. */
export const kindsInMaking: readonly DeclaredResource[] = [teams, connections, apiKeys];

export const fileVersion = 1;

/** Bytes that a file may have. */
export const mostFileBytes = 16 * 1024 * 1024;

const text = z.string().check(z.minLength(1));

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

/**
 * The type by whose rules an entry's settings are read. What the service says of a resource makes nothing a reference; the
 * plan refuses bare ones in an entry without a type whose resource is not PostgreSQL's (`bareReferences`).
 */
function typeOf({ type }: Resource): unknown {
  return type ?? postgresTypes[0];
}

/** The settings in which an entry has a bare reference. */
export function secretSettingsOf(entry: Resource): readonly string[] {
  return connections.secretSettings(typeOf(entry));
}

/** The settings with bare references in an entry of which only the resource tells whether they are some: it has no type. */
export function bareReferences(entry: OrganizationEntry): readonly string[] {
  const { type, config } = entry;
  if (type !== undefined || !isResource(config)) return [];
  return secretSettingsOf(entry).filter((name) => isReference(config[name]));
}

/** The references of an entry, by their paths from the entry. */
export function referencesOf(entry: OrganizationEntry): readonly PlacedReference[] {
  const found: PlacedReference[] = [];
  settingsWith(entry, ({ path, reference }) => found.push({ path: ['config', ...path], reference }));
  return found;
}

/** The settings of an entry with other values in the place of its references. */
export function settingsWith(
  entry: OrganizationEntry,
  replace: (placed: PlacedReference) => unknown,
): Resource {
  const { config } = entry;
  if (!isResource(config)) return {};
  return replaceReferences(config, secretSettingsOf(entry), replace);
}

/** A setting; a marked reference may be anywhere in it. `checkFile` looks into it, and so does the JSON schema. */
export const settingSchema = z.unknown();

/** Fields that the settings of every type have in a file: what marks a reference is no setting. */
const noMarker = {
  [markerKey]: z.optional(z.never('marks a reference within a setting, and is none itself')),
};

/** The settings of a type: where a text may stand, so may a marked reference. */
function settingsSchema(
  type: string | undefined,
  shape: Readonly<Record<string, z.ZodMiniType>>,
  secret: z.ZodMiniType = referenceSchema,
) {
  const secrets = connections.secretSettings(type);
  const fields = Object.entries(shape).map(([name, schema]) => {
    if (secrets.includes(name)) return [name, secret] as const;
    return [name, schema instanceof z.ZodMiniString ? textOrMarker(schema) : schema] as const;
  });
  return z.catchall(z.partial(z.object({ ...Object.fromEntries(fields), ...noMarker })), settingSchema);
}

/** A text, or a marked reference to one. */
function textOrMarker(schema: z.ZodMiniString): z.ZodMiniType {
  return z.union([schema, markerSchema], {
    error: ({ input, errors }) =>
      isResource(input) ? `can be a marked reference: ${markerForms}` : errors?.[0]?.[0]?.message,
  });
}

const bareOrMarked = `must be a reference to a secret, and never the secret: { env: NAME } or ${markerForms}`;

const postgresEntry = z.strictObject({
  ...identity,
  type: z.enum(postgresTypes),
  config: z.optional(settingsSchema(postgresTypes[0], postgresConfigSchema.shape)),
});
/** Its password may be marked, too: only the plan knows whether a bare reference stands where a declaration has a secret. */
const untypedEntry = z.strictObject({
  ...identity,
  type: z.optional(z.never()),
  config: z.optional(
    settingsSchema(
      postgresTypes[0],
      postgresConfigSchema.shape,
      z.union([referenceSchema, markerSchema], bareOrMarked),
    ),
  ),
});
const otherEntry = z.strictObject({
  ...identity,
  type: otherTypeSchema,
  config: z.optional(settingsSchema(undefined, { password: markerSchema })),
});

/** The settings that the schema of an entry checks; `checkFile` looks into all others. */
export function checkedSettings(entry: Resource): readonly string[] {
  return isPostgres(typeOf(entry)) ? Object.keys(postgresConfigSchema.shape) : ['password'];
}

/** Entries that differ from the fields of their resource. */
const ownEntries: Partial<Record<ResourceKind, z.ZodMiniType>> = {
  connections: z.union([postgresEntry, untypedEntry, otherEntry]),
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
  if (type === undefined) return untypedEntry;
  return isPostgres(type) ? postgresEntry : otherEntry;
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
