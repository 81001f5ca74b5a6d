import {
  isHarmlessSetting,
  isPostgres,
  postgresDefaults,
  postgresEssentials,
} from '../api/resources/connection.js';
import { isResource, type Resource } from '../api/resources/resource.js';
import { isSameValue } from '../api/resources/same-value.js';
import { ExactNumber, isSameNumber } from '../text/exact-number.js';
import { declaredFields, listReferences, type OrganizationEntry } from './file.js';

export interface FieldChange {
  /** Such as `type` or `config.host`. */
  readonly field: string;
  /** Absent if the resource lacks the field. */
  readonly from?: unknown;
  readonly to: unknown;
}

export interface Differences {
  readonly changes: readonly FieldChange[];
  /** Fields that cannot be compared: references to secrets, and fields that the service may hide. */
  readonly hidden: readonly string[];
  /** Settings that a list of connections should show, but this one does not. */
  readonly unknown?: readonly string[];
  /** The PATCH body; `config` has only the settings to send. */
  readonly patch: Resource;
}

/** Compares only fields that the entry has. @param sendHidden sends hidden fields, too, as a new type always does */
export function differences(entry: OrganizationEntry, existing: Resource, sendHidden = false): Differences {
  const { config, ...fields } = declaredFields(entry);
  const unshown = 'type' in fields && isAbsent(existing['type']) ? ['type'] : [];
  const changes = compareFields(without(fields, unshown), existing, '');
  const patch = {
    ...Object.fromEntries(changes.map(({ field, to }) => [field, to])),
    ...only(fields, sendHidden ? unshown : []),
  };
  if (!isResource(config)) return { changes, hidden: unshown, patch };
  const shown = isResource(existing['config']) ? existing['config'] : {};
  const type = existing['type'] ?? entry['type'];
  const isEmpty = Object.keys(shown).length === 0;
  const isShown = isResource(existing['config']) && !(isEmpty && isPostgres(type));
  const unreturned = isShown ? listUnreturned(config, shown, type) : Object.keys(config);
  const hidden = isShown ? [...new Set([...hiddenFields(entry, config, shown), ...unreturned])] : unreturned;
  const comparable = without(config, hidden);
  const defaults = listDefaults(config, shown, type);
  const ofConfig = compareFields(without(comparable, defaults), shown, 'config.');
  const retyped = 'type' in patch;
  const referenced = listReferenced(entry);
  const unknown = retyped || sendHidden ? [] : unreturned.filter((name) => !referenced.has(name));
  const sent = {
    ...(retyped ? comparable : mergeShown(ofConfig, shown)),
    ...only(config, retyped || sendHidden ? hidden : []),
  };
  return {
    changes: [...changes, ...ofConfig],
    hidden: [...unshown, ...hidden.map((name) => `config.${name}`)],
    ...(unknown.length > 0 && { unknown: unknown.map((name) => `config.${name}`) }),
    patch: Object.keys(sent).length === 0 ? patch : { ...patch, config: sent },
  };
}

function hiddenFields(entry: OrganizationEntry, config: Resource, shown: Resource): readonly string[] {
  const secret = listReferenced(entry);
  return Object.entries(config).flatMap(([name, value]) => {
    const isReturned = Object.hasOwn(shown, name) || isHarmlessSetting(name, value);
    return secret.has(name) || !isReturned ? [name] : [];
  });
}

function listUnreturned(config: Resource, shown: Resource, type: unknown): readonly string[] {
  if (!isPostgres(type)) return [];
  return postgresEssentials.filter((name) => !isAbsent(config[name]) && isAbsent(shown[name]));
}

function listReferenced(entry: OrganizationEntry): ReadonlySet<unknown> {
  return new Set(listReferences(entry).map(({ path }) => path[1]));
}

/** Settings that the entry sets to their default and the service does not return. */
function listDefaults(config: Resource, shown: Resource, type: unknown): readonly string[] {
  if (!isPostgres(type)) return [];
  const defaults = Object.entries(postgresDefaults);
  return defaults.flatMap(([name, value]) =>
    isAbsent(shown[name]) && isSameValue(`config.${name}`, config[name], value) ? [name] : [],
  );
}

function compareFields(wanted: Resource, existing: Resource, prefix: string): readonly FieldChange[] {
  return Object.entries(wanted).flatMap(([name, to]) => {
    const from = Object.hasOwn(existing, name) ? existing[name] : undefined;
    const field = `${prefix}${name}`;
    if (coversValue(field, from, to)) return [];
    return [{ field, ...(from === undefined ? {} : { from }), to }];
  });
}

function mergeShown(changes: readonly FieldChange[], shown: Resource): Resource {
  return Object.fromEntries(
    changes.map(({ field, to }) => {
      const name = field.slice('config.'.length);
      return [name, overlay(shown[name], to)];
    }),
  );
}

function overlay(below: unknown, above: unknown): unknown {
  if (!isResource(below) || !isResource(above)) return above;
  const fields = Object.entries(above).map(([name, value]) => [name, overlay(below[name], value)] as const);
  return { ...below, ...Object.fromEntries(fields) };
}

/** Whether a field's value includes everything wanted; a null field counts as absent. */
function coversValue(field: string, value: unknown, wanted: unknown): boolean {
  if (isSameValue(field, value, wanted)) return true;
  if (isNumber(value) && isNumber(wanted)) return isSameNumber(value, wanted);
  if (Array.isArray(value) && Array.isArray(wanted)) {
    return (
      value.length === wanted.length &&
      wanted.every((member, index) => coversValue(`${field}.${index}`, value[index], member))
    );
  }
  if (isResource(value) && isResource(wanted)) {
    return Object.entries(wanted).every(([name, inner]) =>
      coversValue(`${field}.${name}`, Object.hasOwn(value, name) ? value[name] : undefined, inner),
    );
  }
  return (value ?? null) === (wanted ?? null);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
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
