import { isHarmlessSetting } from '../../api/resources/connection.js';
import type { DeclaredResource, ResourceKind } from '../../api/resources/index.js';
import { type IdentifiedResource, isResource, type Resource } from '../../api/resources/resource.js';
import { maskedAnswer } from '../../commands/resource/create.js';
import type { PlacedReference, SecretReference } from '../../input/forms/secret-reference.js';
import { mask } from '../../redaction/redact.js';
import {
  declaredFields,
  kindsOfFile,
  listReferences,
  type OrganizationEntry,
  type SecretTarget,
} from '../declaration/organization-file.js';
import type { FieldChange } from '../plan/differences.js';
import { creationFields, type KindPlan, type PlanStep } from '../plan/plan.js';
import type { OrganizationFile } from '../read/file-entry.js';

/** A step as data, without secrets or possible secrets. */
export interface StepValue {
  readonly kind: ResourceKind;
  readonly action: PlanStep['action'];
  readonly name: string;
  readonly id?: string | undefined;
  /** The value in the resource when the plan was made. */
  readonly updated_at?: unknown;
  /** Fields to set, other than `secrets`. */
  readonly changes?: readonly FieldChange[];
  /** Fields that cannot be compared, such as secrets; `sent` says whether the step sets them. */
  readonly secrets?: readonly StepSecret[];
  readonly secretTo?: SecretTarget;
}

interface StepSecret {
  readonly field: string;
  readonly sent: boolean;
  /** The complete source: users confirm what is read or run. */
  readonly from?: SecretReference;
}

export interface PlanValue {
  readonly changes: readonly StepValue[];
  readonly unchanged: Readonly<Record<string, number>>;
  readonly notCompared: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** By kind, the number of unchanged resources that are not in the file; `all` if the file lacks the kind. */
  readonly notInFile: Readonly<Record<string, number | 'all'>>;
}

/** Kinds that are not in the file, and therefore not read from the service. */
export function listUnnamedKinds({ kinds }: Pick<OrganizationFile, 'kinds'>): readonly DeclaredResource[] {
  return kindsOfFile.filter((resource) => !kinds.has(resource));
}

export function planValue(plans: readonly KindPlan[], file: Pick<OrganizationFile, 'kinds'>): PlanValue {
  const byKind = <Value>(value: (plan: KindPlan) => Value) =>
    Object.fromEntries(plans.map((plan) => [plan.resource.kind, value(plan)]));
  return {
    changes: plans.flatMap(({ steps }) => steps.map(stepValue)),
    unchanged: byKind(({ unchanged }) => unchanged),
    notCompared: byKind(notCompared),
    notInFile: {
      ...byKind(({ leftAlone }) => leftAlone),
      ...Object.fromEntries(listUnnamedKinds(file).map(({ kind }) => [kind, 'all'] as const)),
    },
  };
}

export function notCompared({ hidden }: KindPlan): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const field of [...hidden.values()].flat()) counts[field] = (counts[field] ?? 0) + 1;
  return counts;
}

export function stepValue(step: PlanStep): StepValue {
  const { action, name, resource } = step;
  const { id, updated_at }: Partial<IdentifiedResource> = 'existing' in step ? step.existing : {};
  return {
    kind: resource.kind,
    action,
    name,
    ...(id !== undefined && { id }),
    ...(updated_at !== undefined && { updated_at }),
    ...fieldsOfStep(step),
  };
}

function fieldsOfStep(step: PlanStep): Partial<StepValue> {
  if (step.action === 'create') {
    const { entry } = step.entry;
    const changes = allFields(creationFields(step.resource, entry)).filter(
      ({ field }) => !step.hidden.includes(field),
    );
    const { enabled } = declaredFields(entry);
    const disabled = enabled === false ? [{ field: 'enabled', to: false }] : [];
    return {
      changes: [...changes, ...disabled].map(harmless),
      ...listShownSecrets(step.hidden, step.hidden, entry),
      ...(entry.secret_to === undefined ? {} : { secretTo: entry.secret_to }),
    };
  }
  if (step.action !== 'change') return {};
  const { entry } = step.entry;
  return { changes: step.changes.map(harmless), ...listShownSecrets(step.hidden, step.sent, entry) };
}

function allFields({ name: _, config, ...fields }: Resource): readonly FieldChange[] {
  const plain = Object.entries(fields).map(([field, to]) => ({ field, to }));
  if (!isResource(config)) return plain;
  return [...plain, ...Object.entries(config).map(([name, to]) => ({ field: `config.${name}`, to }))];
}

function listShownSecrets(
  hidden: readonly string[],
  sent: readonly string[],
  entry: OrganizationEntry,
): Partial<StepValue> {
  if (hidden.length === 0) return {};
  const references = new Map<string, PlacedReference[]>(hidden.map((field) => [field, []]));
  for (const one of listReferences(entry)) references.get(`config.${one.path[1]}`)?.push(one);
  const secrets = hidden.flatMap((field): StepSecret[] => {
    const isSent = sent.includes(field);
    const within = references.get(field) ?? [];
    if (within.length === 0) return [{ field, sent: isSent }];
    return within.map(({ path, reference }) => ({ field: path.join('.'), sent: isSent, from: reference }));
  });
  return { secrets };
}

function harmless({ field, from, to }: FieldChange): FieldChange {
  return { field, ...(from !== undefined && { from: maskSecret(field, from) }), to: maskSecret(field, to) };
}

function maskSecret(field: string, value: unknown): unknown {
  if (field.startsWith('config.'))
    return isHarmlessSetting(field.slice('config.'.length), value) ? value : mask;
  const masked = maskedAnswer({ [field]: value });
  return isResource(masked) ? masked[field] : mask;
}
