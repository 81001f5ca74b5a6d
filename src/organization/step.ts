import { apiKeys } from '../api/resources/api-key.js';
import { isHarmlessSetting, isPostgres } from '../api/resources/connection.js';
import type { DeclaredResource, QuotaKind } from '../api/resources/index.js';
import { type IdentifiedResource, isResource, type Resource } from '../api/resources/resource.js';
import { maskedAnswer } from '../commands/resource/create.js';
import {
  missingDefaults,
  type PlacedReference,
  type SecretReference,
} from '../input/forms/secret-reference.js';
import { mask } from '../redaction/redact.js';
import type { Differences, FieldChange } from './differences.js';
import {
  declaredFields,
  listReferences,
  type OrganizationEntry,
  type SecretTarget,
  settingsWith,
} from './file.js';
import type { FileEntry } from './read-file.js';

/** `enable` is left to the user, because the API cannot enable a key. */
export type Action = 'create' | 'change' | 'delete' | 'enable';

/** A step as data, without secrets or possible secrets. */
export interface StepValue {
  readonly kind: QuotaKind;
  readonly action: Action;
  readonly name: string;
  readonly id?: string | undefined;
  readonly updated_at?: unknown;
  /** Fields to set, other than `secrets`. */
  readonly changes?: readonly FieldChange[];
  /** Fields that cannot be compared; `sent` says whether the step sets them. */
  readonly secrets?: readonly StepSecret[];
  readonly secretTo?: SecretTarget;
}

interface StepSecret {
  readonly field: string;
  readonly sent: boolean;
  readonly from?: SecretReference;
}

export interface PlanStep {
  readonly value: StepValue;
  readonly resource: DeclaredResource;
  /** The entry to create or change; none for other actions. */
  readonly entry?: FileEntry | undefined;
  /** The resource as it is; none for a creation. */
  readonly existing?: IdentifiedResource | undefined;
  /** The body of POST or PATCH, with references in place of secrets. */
  readonly body: Resource;
  /** Fields of `body` given by reference, such as `config.password`. */
  readonly sent: readonly string[];
}

export function existingStep(
  action: 'delete' | 'enable',
  resource: DeclaredResource,
  existing: IdentifiedResource & { readonly name: string },
): PlanStep {
  const value = { ...describe(action, resource, existing.name), ...identityOf(existing) };
  return { value, resource, existing, body: {}, sent: [] };
}

export function creationStep(entry: FileEntry): PlanStep {
  const { resource, entry: wanted } = entry;
  const body = creationBody(entry);
  const sent = [...new Set(listReferences(wanted).map(({ path: [, name] }) => `config.${name}`))];
  const { name: _, config, ...fields } = declaredFields(wanted);
  const settings = isResource(body['config']) ? Object.entries(body['config']) : [];
  const changes = [
    ...Object.entries(fields),
    ...settings.map(([name, to]) => [`config.${name}`, to] as const),
  ];
  const value: StepValue = {
    ...describe('create', resource, wanted.name),
    changes: changes.filter(([field]) => !sent.includes(field)).map(([field, to]) => harmless({ field, to })),
    ...secretsOf(sent, sent, wanted),
    ...(wanted.secret_to !== undefined && { secretTo: wanted.secret_to }),
  };
  return { value, resource, entry, body, sent };
}

export function changeStep(
  entry: FileEntry,
  existing: IdentifiedResource,
  { changes, hidden, patch }: Differences,
): PlanStep {
  const { resource, entry: wanted } = entry;
  const config = isResource(patch['config']) ? patch['config'] : {};
  const isSent = (field: string) =>
    Object.hasOwn(patch, field) || Object.hasOwn(config, field.replace('config.', ''));
  const sent = hidden.filter(isSent);
  const value = {
    ...describe('change', resource, wanted.name),
    ...identityOf(existing),
    changes: changes.map(harmless),
    ...secretsOf(hidden, sent, wanted),
  };
  return { value, resource, entry, existing, body: patch, sent };
}

function describe(action: Action, { kind }: DeclaredResource, name: string): StepValue {
  return { kind, action, name };
}

function identityOf({ id, updated_at }: IdentifiedResource) {
  return { id, ...(updated_at !== undefined && { updated_at }) };
}

/** The POST body, without `enabled` of an API key: orgctl sets it by PATCH. */
function creationBody({ resource, entry }: FileEntry): Resource {
  const { config, ...fields } = declaredFields(entry);
  if (resource.kind === apiKeys.kind) delete fields['enabled'];
  if (!isResource(config)) return config === undefined ? fields : { ...fields, config };
  const added = isPostgres(entry['type']) ? missingDefaults(config) : {};
  return { ...fields, config: { ...config, ...added } };
}

/** The body to send. Resolves references of the file; what looks like one in the service's data is just data. */
export function bodyOf(
  { body, entry, sent }: PlanStep,
  secretOf: (placed: PlacedReference) => unknown,
): Resource {
  if (entry === undefined || sent.length === 0) return body;
  const settings = Object.entries(settingsWith(entry.entry, secretOf));
  const secrets = settings.filter(([name]) => sent.includes(`config.${name}`));
  return { ...body, config: { ...Object(body['config']), ...Object.fromEntries(secrets) } };
}

function secretsOf(
  fields: readonly string[],
  sent: readonly string[],
  entry: OrganizationEntry,
): Pick<StepValue, 'secrets'> {
  if (fields.length === 0) return {};
  const references = listReferences(entry);
  const secrets = fields.flatMap((field): StepSecret[] => {
    const isSent = sent.includes(field);
    const within = references.filter(({ path }) => `config.${path[1]}` === field);
    if (within.length === 0) return [{ field, sent: isSent }];
    return within.map(({ path, reference }) => ({ field: path.join('.'), sent: isSent, from: reference }));
  });
  return { secrets };
}

function harmless({ field, from, to }: FieldChange): FieldChange {
  return { field, ...(from !== undefined && { from: maskSecret(field, from) }), to: maskSecret(field, to) };
}

function maskSecret(field: string, value: unknown): unknown {
  const [, setting] = /^config\.(.*)$/s.exec(field) ?? [];
  if (setting !== undefined) return isHarmlessSetting(setting, value) ? value : mask;
  const masked = maskedAnswer({ [field]: value });
  return isResource(masked) ? masked[field] : mask;
}
