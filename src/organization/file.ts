import { apiKeys } from '../api/resources/api-key.js';
import {
  connections,
  isPostgres,
  otherTypeSchema,
  postgresConfigSchema,
  postgresTypes,
} from '../api/resources/connection.js';
import {
  type DeclaredResource,
  isPlainResource,
  type PlainResource,
  resources,
} from '../api/resources/index.js';
import { isResource, nameSchema, type Resource } from '../api/resources/resource.js';
import { type Problem, z } from '../api/schema/schema.js';
import {
  markerForms,
  markerKey,
  markerSchema,
  type PlacedReference,
  referenceSchema,
  replaceReferences,
} from '../input/forms/secret-reference.js';
import { isHarmlessField } from '../redaction/harmless.js';

// The organization file is described in docs/guides/organization-file.md.

export const kindsOfFile = [...resources.filter(({ kind }) => kind !== apiKeys.kind), apiKeys];

/** The order in which apply creates resources: plain kinds, then connections, then API keys. */
export const kindsInMaking = [
  ...kindsOfFile.filter(isPlainResource),
  ...kindsOfFile.filter((resource) => !isPlainResource(resource)),
];

export const organizationVersion = 1;

export const maxFileBytes = 16 * 1024 * 1024;

const nonEmptyText = z.string().check(z.minLength(1));

const targetSchema = z.union(
  [
    z.strictObject({ file: nonEmptyText }),
    z.strictObject({ profile: nonEmptyText }),
    z.strictObject({ command: nonEmptyText }),
  ],
  'must be { file: path }, { profile: NAME } or { command: line }',
);
export type SecretTarget = z.infer<typeof targetSchema>;

/** Fields that identify an entry's resource; of them, only `name` is sent. */
const identity = {
  name: nameSchema(),
  /** Pins the entry to a resource, whatever its name. */
  id: z.optional(nonEmptyText),
  renamed_from: z.optional(nameSchema()),
};

const aboutEntry: ReadonlySet<string> = new Set(['id', 'renamed_from', 'secret_to']);

export interface OrganizationEntry extends Resource {
  readonly name: string;
  readonly id?: string;
  readonly renamed_from?: string;
  readonly secret_to?: SecretTarget;
}

export function declaredFields(entry: OrganizationEntry): Resource {
  return Object.fromEntries(Object.entries(entry).filter(([field]) => !aboutEntry.has(field)));
}

export function listReferences(entry: OrganizationEntry): readonly PlacedReference[] {
  const found: PlacedReference[] = [];
  settingsWith(entry, ({ path, reference }) => found.push({ path: ['config', ...path], reference }));
  return found;
}

export function settingsWith(
  entry: OrganizationEntry,
  replace: (placed: PlacedReference) => unknown,
): Resource {
  const { config, type } = entry;
  if (!isResource(config)) return {};
  return replaceReferences(config, connections.secretSettings(type), replace);
}

/** Any data; references in it must be marked, and a `password` at any depth must be a reference. */
const settingSchema = z.unknown().check(({ value, issues }) => {
  for (const { path, message } of findSettingProblems(value, []))
    issues.push({ code: 'custom', input: value, path: [...path], message });
});

function findSettingProblems(value: unknown, path: readonly PropertyKey[]): readonly Problem[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Object.hasOwn(value, markerKey)) {
    if (markerSchema.safeParse(value).success) return [];
    const message = `${markerKey} must be the only field of its object, with a reference to a secret: ${markerForms}`;
    return [{ path, message }];
  }
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = [...path, Array.isArray(value) ? Number(name) : name];
    if (name !== 'password') return findSettingProblems(inner, here);
    const { error } = markerSchema.safeParse(inner);
    return (error?.issues ?? []).map(({ message }) => ({ path: here, message }));
  });
}

/** Refuses the marker of a reference as a setting. */
const noMarker = {
  [markerKey]: z.optional(z.never('marks a reference within a setting; config itself cannot be a reference')),
};

/** Allows a marked reference in place of any string. */
function settingsSchema(type: string | undefined, shape: Readonly<Record<string, z.ZodMiniType>>) {
  const secrets = connections.secretSettings(type);
  const fields = Object.entries(shape).map(([name, schema]) => {
    if (secrets.includes(name)) return [name, referenceSchema] as const;
    return [name, schema instanceof z.ZodMiniString ? textOrMarker(schema) : schema] as const;
  });
  return z.catchall(z.partial(z.object({ ...Object.fromEntries(fields), ...noMarker })), settingSchema);
}

function textOrMarker(schema: z.ZodMiniString): z.ZodMiniType {
  return z.union([schema, markerSchema], {
    error: ({ input, errors }) =>
      isResource(input) ? `must be text or a marked reference: ${markerForms}` : errors?.[0]?.[0]?.message,
  });
}

const postgresEntry = z.strictObject({
  ...identity,
  type: z.enum(postgresTypes),
  config: z.optional(settingsSchema(postgresTypes[0], postgresConfigSchema().shape)),
});
/** Without a type, nothing says where a reference to a secret may stand. */
const untypedEntry = z.strictObject({
  ...identity,
  type: z.optional(z.never()),
  config: z.optional(z.never('needs the type of the connection')),
});
const otherEntry = z.strictObject({
  ...identity,
  type: otherTypeSchema(),
  config: z.optional(settingsSchema(undefined, { password: markerSchema })),
});

const ownEntries: Readonly<Record<Exclude<DeclaredResource, PlainResource>['kind'], z.ZodMiniType>> = {
  connections: z.union([postgresEntry, untypedEntry, otherEntry]),
  'api-keys': z.strictObject({
    ...identity,
    enabled: z.optional(z.boolean()),
    secret_to: z.optional(targetSchema),
  }),
};

/** Entries of plain kinds, such as teams, have the fields of the POST body except possible secrets. */
function makeEntrySchema(resource: DeclaredResource): z.ZodMiniType {
  if (!isPlainResource(resource)) return ownEntries[resource.kind];
  const fields = Object.entries(z.partial(resource.input).shape);
  const harmless = fields.filter(([name]) => isHarmlessField(name));
  return z.strictObject({ ...Object.fromEntries(harmless), ...identity });
}

/** The schema for the entry's type, so that errors mention no other type. */
export function entrySchemaFor(resource: DeclaredResource, entry: unknown): z.ZodMiniType {
  if (resource.kind !== connections.kind) return makeEntrySchema(resource);
  const type = isResource(entry) ? entry['type'] : undefined;
  if (type === undefined) return untypedEntry;
  return isPostgres(type) ? postgresEntry : otherEntry;
}

const versionSchema = z.literal(organizationVersion, `must be ${organizationVersion}, the only version`);

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

/** Checks everything except entries; see `entrySchemaFor`. */
export const outlineSchema = fileSchema(() => z.unknown());

/** The JSON Schema for editors (draft 2020-12). */
export function organizationJsonSchema(): unknown {
  const { $schema, ...schema } = z.toJSONSchema(fileSchema(makeEntrySchema), {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === settingSchema) jsonSchema.$ref = setting;
      if (zodSchema !== markerSchema) return;
      delete jsonSchema.anyOf;
      Object.assign(jsonSchema, marker);
    },
  });
  const { $schema: _, ...markerDefinition } = z.toJSONSchema(markerSchema, { io: 'input' });
  return {
    $schema,
    title: 'An organization, as orgctl export, diff and apply use it',
    description:
      'Only what is in the file is compared. An entry stands for the resource with its id; without an id, for the resource with its name, or else with the name in renamed_from. Secrets are references.',
    ...schema,
    $defs: { setting: { anyOf: [marker, unmarked] }, marker: markerDefinition },
  };
}

const setting = '#/$defs/setting';
const marker = { $ref: '#/$defs/marker' };

const unmarked = {
  not: { type: 'object', required: [markerKey] },
  items: { $ref: setting },
  properties: { password: marker },
  additionalProperties: { $ref: setting },
};
