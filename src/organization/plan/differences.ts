import { isHarmlessSetting } from '../../api/resources/connection.js';
import { isResource, type Resource } from '../../api/resources/resource.js';
import { ExactNumber, isSameNumber } from '../../text/exact-number.js';
import { fieldsOf, type OrganizationEntry, referencesOf } from '../declaration/organization-file.js';

/** A field that is to become another. */
export interface FieldChange {
  /** From the top of the resource: `type`, `config.host`. */
  readonly field: string;
  /** Absent where the resource has no such field. */
  readonly from?: unknown;
  readonly to: unknown;
}

/** A field of an entry whose resource has another value. */
export interface Differences {
  readonly changes: readonly FieldChange[];
  /** Fields that cannot be compared, because the service does not return them: secrets, and possible secrets. */
  readonly hidden: readonly string[];
  /** The body of the PATCH that makes the changes; of `config` only the changed fields. */
  readonly patch: Resource;
}

/**
 * Compares only the fields that an entry names: what the service fills in is no difference.
 *
 * @param sendHidden whether the patch includes fields that cannot be compared; it always does when the type changes
 */
export function differences(entry: OrganizationEntry, existing: Resource, sendHidden = false): Differences {
  const { config, ...plain } = fieldsOf(entry);
  const changes = changed(plain, existing, '');
  const patch = Object.fromEntries(changes.map(({ field, to }) => [field, to]));
  if (!isResource(config)) return { changes, hidden: [], patch };
  const shown = isResource(existing['config']) ? existing['config'] : {};
  const hidden = hiddenFields(entry, config, shown);
  const comparable = without(config, hidden);
  const ofConfig = changed(comparable, shown, 'config.');
  const retyped = 'type' in patch;
  const sent = {
    ...(retyped ? comparable : merged(ofConfig, shown)),
    ...only(config, retyped || sendHidden ? hidden : []),
  };
  return {
    changes: [...changes, ...ofConfig],
    hidden: hidden.map((name) => `config.${name}`),
    patch: Object.keys(sent).length === 0 ? patch : { ...patch, config: sent },
  };
}

/**
 * The settings of an entry that cannot be compared: those with a reference, whatever the service returns there, and those
 * that it does not return and that may hold a secret.
 */
function hiddenFields(entry: OrganizationEntry, config: Resource, shown: Resource): readonly string[] {
  const secret = new Set(referencesOf(entry).map(({ path }) => path[1]));
  return Object.entries(config).flatMap(([name, value]) => {
    const isReturned = Object.hasOwn(shown, name) || isHarmlessSetting(name, value);
    return secret.has(name) || !isReturned ? [name] : [];
  });
}

function changed(wanted: Resource, existing: Resource, prefix: string): readonly FieldChange[] {
  return Object.entries(wanted).flatMap(([name, to]) => {
    const from = Object.hasOwn(existing, name) ? existing[name] : undefined;
    if (covers(from, to)) return [];
    return [{ field: `${prefix}${name}`, ...(from === undefined ? {} : { from }), to }];
  });
}

/** The changed settings, each merged with nested fields that only the service has. */
function merged(changes: readonly FieldChange[], shown: Resource): Resource {
  return Object.fromEntries(
    changes.map(({ field, to }) => {
      const name = field.slice('config.'.length);
      return [name, overlaid(shown[name], to)];
    }),
  );
}

function overlaid(below: unknown, above: unknown): unknown {
  if (!isResource(below) || !isResource(above)) return above;
  const fields = Object.entries(above).map(([name, value]) => [name, overlaid(below[name], value)] as const);
  return { ...below, ...Object.fromEntries(fields) };
}

/** Whether a value has everything that is wanted. A null field counts as absent. */
function covers(value: unknown, wanted: unknown): boolean {
  if (value === wanted) return true;
  if (isNumber(value) && isNumber(wanted)) return isSameNumber(value, wanted);
  if (Array.isArray(value) && Array.isArray(wanted)) {
    return value.length === wanted.length && wanted.every((member, index) => covers(value[index], member));
  }
  if (isResource(value) && isResource(wanted)) {
    return Object.entries(wanted).every(([name, inner]) =>
      covers(Object.hasOwn(value, name) ? value[name] : undefined, inner),
    );
  }
  return (value ?? null) === (wanted ?? null);
}

function isNumber(value: unknown): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

function without(fields: Resource, names: readonly string[]): Resource {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

function only(fields: Resource, names: readonly string[]): Resource {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}
