import { printJson } from '../../contract/exact-json.js';
import { fieldsOf, hasReference, isReference, type SecretTarget } from '../../contract/organization-file.js';
import { isResource, type Resource } from '../../contract/resource.js';
import { shownConfig } from '../../contract/resources/connection.js';
import type { ResourceKind } from '../../contract/resources/index.js';
import { mask, redactedText } from '../../redaction/redact.js';
import { redactedJson } from '../../redaction/redact-json.js';
import type { FieldChange } from './differences.js';
import { creationFields, type KindPlan, type Step } from './plan.js';

/** A step as programs read it and a plan stores it: without secrets and possible secrets. */
export interface StepValue {
  readonly kind: ResourceKind;
  readonly action: Step['action'];
  readonly name: string;
  readonly id?: string | undefined;
  /** Of the resource when the plan was made. */
  readonly updated_at?: unknown;
  /** The fields that are set, from the top of the resource. */
  readonly changes?: readonly FieldChange[];
  /** Secrets and possible secrets: set on creation and with --set-secrets, never compared. */
  readonly secrets?: readonly { readonly field: string; readonly sent: boolean; readonly from?: string }[];
  /** Where the secret of a new key goes. */
  readonly secretTo?: string;
  /** A creation that an interrupted run began. */
  readonly goingOn?: true;
}

/** A plan as programs read it. */
export interface PlanValue {
  readonly changes: readonly StepValue[];
  /** By kind, how many are as the file says. */
  readonly unchanged: Readonly<Record<string, number>>;
  /** By kind and field, how many existing resources could not be compared. */
  readonly notCompared: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export function planValue(plans: readonly KindPlan[]): PlanValue {
  const byKind = <Value>(value: (plan: KindPlan) => Value) =>
    Object.fromEntries(plans.map((plan) => [plan.resource.kind, value(plan)]));
  return {
    changes: plans.flatMap(({ steps }) => steps.map(stepValue)),
    unchanged: byKind(({ unchanged }) => unchanged),
    notCompared: byKind(notCompared),
  };
}

/** By field, how many resources could not be compared. */
export function notCompared({ hidden }: KindPlan): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const field of [...hidden.values()].flat()) counts[field] = (counts[field] ?? 0) + 1;
  return counts;
}

export function stepValue(step: Step): StepValue {
  const { action, name, resource } = step;
  const { id, updated_at } = 'existing' in step ? step.existing : {};
  return {
    kind: resource.kind,
    action,
    name,
    ...(typeof id === 'string' ? { id } : {}),
    ...(updated_at === undefined ? {} : { updated_at }),
    ...fieldsOfStep(step),
  };
}

function fieldsOfStep(step: Step): Partial<StepValue> {
  if (step.action === 'create') {
    const { entry } = step.entry;
    const changes = allFields(creationFields(step.resource, entry)).filter(
      ({ field }) => !step.hidden.includes(field),
    );
    const { enabled } = fieldsOf(entry);
    const disabled = enabled === false ? [{ field: 'enabled', to: false }] : [];
    return {
      changes: [...changes, ...disabled].map((change) => harmless(change, String(entry['type']))),
      ...secretsOf(step.hidden, step.hidden, entry['config']),
      ...(entry.secret_to === undefined ? {} : { secretTo: placeOf(entry.secret_to) }),
      ...(step.isGoingOn ? { goingOn: true } : {}),
    };
  }
  if (step.action !== 'change') return {};
  const { entry } = step.entry;
  const type = String(entry['type'] ?? step.existing['type']);
  return {
    changes: step.changes.map((change) => harmless(change, type)),
    ...secretsOf(step.hidden, step.sent, entry['config']),
  };
}

/** A command is not shown: its line may hold a secret. */
function placeOf(target: SecretTarget): string {
  if ('command' in target) return 'a command';
  return 'file' in target ? target.file : `profile ${target.profile}`;
}

function allFields({ name: _, config, ...fields }: Resource): readonly FieldChange[] {
  const plain = Object.entries(fields).map(([field, to]) => ({ field, to }));
  if (!isResource(config)) return plain;
  return [...plain, ...Object.entries(config).map(([name, to]) => ({ field: `config.${name}`, to }))];
}

function secretsOf(hidden: readonly string[], sent: readonly string[], config: unknown): Partial<StepValue> {
  if (hidden.length === 0) return {};
  const secrets = hidden.map((field) => {
    const from = isResource(config) ? sourceOf(config[field.slice('config.'.length)]) : undefined;
    return { field, sent: sent.includes(field), ...(from === undefined ? {} : { from }) };
  });
  return { secrets };
}

/** Where a secret comes from. A command is not shown: its line may hold another secret. */
function sourceOf(value: unknown): string | undefined {
  if (!isReference(value)) return hasReference(value) ? 'several places' : undefined;
  if ('env' in value) return value.env;
  return 'file' in value ? value.file : 'a command';
}

/** The change, masking what the service's answers would not show either. */
function harmless({ field, from, to }: FieldChange, type: string): FieldChange {
  const isShown = (value: unknown) => {
    const name = field.slice('config.'.length);
    return !field.startsWith('config.') || Object.hasOwn(shownConfig(type, { [name]: value }), name);
  };
  const shown = (value: unknown) => (isShown(value) ? withoutCredentials(value) : mask);
  return { field, ...(from === undefined ? {} : { from: shown(from) }), to: shown(to) };
}

function withoutCredentials(value: unknown): unknown {
  if (typeof value === 'string') return redactedText(value);
  // A number that no double is an object too.
  return Array.isArray(value) || isResource(value) ? redactedJson(printJson(value)) : value;
}
