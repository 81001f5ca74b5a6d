import {
  connections,
  isHarmlessSetting,
  isPostgres,
  postgresConfigSchema,
} from '../api/resources/connection.js';
import { type DeclaredResource, isPlainResource } from '../api/resources/index.js';
import { type IdentifiedResource, isResource, type Resource } from '../api/resources/resource.js';
import { isSameValue, readSwitch } from '../api/resources/same-value.js';
import type { z } from '../api/schema/schema.js';
import { markerKey } from '../input/forms/secret-reference.js';
import { isHarmless } from '../redaction/redact.js';
import { countNoun } from '../text/count-noun.js';
import { kindsOfFile, organizationVersion } from './file.js';
import { checkFile, nameEntry } from './read-file.js';
import { type ExistingResources, groupByName, hasName } from './read-service.js';

/** Omits kinds that were not read: an empty list would mean that none exist. */
export function exportOrganization(existing: ExistingResources) {
  const exporter = new Exporter();
  const kinds = kindsOfFile.filter((resource) => existing.has(resource));
  const lists = kinds.map((resource) => [
    resource.kind,
    exporter.exportKind(resource, existing.get(resource) ?? []),
  ]);
  const organization = { version: organizationVersion, ...Object.fromEntries(lists) };
  const refused = checkFile(organization).map(
    ({ path, what }) => `diff and apply refuse ${nameEntry(path)}.${path.slice(2).join('.')}: ${what}`,
  );
  return { organization, warnings: [...exporter.warnings, ...refused] };
}

class Exporter {
  readonly warnings: string[] = [];
  readonly #variables = new Set<string>();

  exportKind(resource: DeclaredResource, all: readonly IdentifiedResource[]): readonly Resource[] {
    const { singular, plural } = resource;
    const named = all.filter(hasName);
    const unnamed = all.length - named.length;
    if (unnamed > 0)
      this.warnings.push(
        `left out ${countNoun(unnamed, singular, plural)} without a name; apply --prune does not delete them`,
      );
    const namesakes = groupByName(named);
    // The order is the same on every machine.
    const sortKey = ({ name, id }: (typeof named)[number]) => `${name}\0${id}`;
    return named
      .toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
      .map((one) => {
        // A shared name does not identify a resource.
        const isOneOfSeveral = (namesakes.get(one.name)?.length ?? 0) > 1;
        const { fields, leftOut } = this.#exportFields(resource, one);
        if (leftOut.length > 0) {
          const title = `${singular} ${JSON.stringify(one.name)}`;
          const names = leftOut.map((field) => JSON.stringify(field)).join(', ');
          this.warnings.push(`${title}: left out ${names}: possible secrets, or settings of an unknown type`);
        }
        return { name: one.name, ...(isOneOfSeveral && { id: one.id }), ...fields };
      });
  }

  /** The fields that POST accepts, without possible secrets. Entries of plain kinds cannot have references. */
  #exportFields(resource: DeclaredResource, one: Resource & { readonly name: string }): ExportedFields {
    if (resource.kind === 'connections') return this.#exportConnection(one);
    // Only `false` is exported: new keys are enabled, and no file can enable a disabled one.
    if (!isPlainResource(resource))
      return { fields: one['enabled'] === false ? { enabled: false } : {}, leftOut: [] };
    const given = Object.keys(resource.input.shape).filter((field) => field !== 'name' && one[field] != null);
    const isShown = (field: string) => isHarmless(field, one[field]);
    const fields = Object.fromEntries(given.filter(isShown).map((field) => [field, one[field]]));
    return { fields, leftOut: given.filter((field) => !isShown(field)) };
  }

  #exportConnection(one: Resource & { readonly name: string }): ExportedFields {
    const { name, type } = one;
    const shown = isResource(one['config']) ? one['config'] : {};
    // A type that may be a secret is left out: no reference can replace it.
    if (typeof type !== 'string' || !isHarmlessSetting('type', type))
      return { fields: {}, leftOut: ['type', ...Object.keys(shown)] };
    // Services do not return PostgreSQL passwords, so each gets a reference.
    const bare = connections.secretSettings(type);
    const leftOut: string[] = [];
    const config = new Map<string, unknown>();
    for (const [setting, value] of Object.entries(shown)) {
      if (bare.includes(setting) || value === null) continue;
      const typed = toDeclaredType(type, setting, value);
      const kept = isHarmlessSetting(setting, typed)
        ? typed
        : this.#toReference(typed, [name, 'DB', setting]);
      if (kept === undefined) leftOut.push(setting);
      else config.set(setting, kept);
    }
    for (const setting of bare) config.set(setting, { env: this.#nameVariable([name, 'DB', setting]) });
    return { fields: { type, config: orderSettings(config) }, leftOut };
  }

  /** Replaces strings with marked references; `undefined` if any part cannot be one. */
  #toReference(value: unknown, words: readonly string[]): unknown {
    // A referenced variable must not be empty.
    if (typeof value === 'string' && value !== '') return { [markerKey]: { env: this.#nameVariable(words) } };
    if (typeof value !== 'object' || value === null) return undefined;
    const parts = Object.entries(value).map(
      ([name, inner]) => [name, this.#toReference(inner, [...words, name])] as const,
    );
    if (parts.some(([, part]) => part === undefined)) return undefined;
    if (Array.isArray(value)) return parts.map(([, part]) => part);
    return isResource(value) ? Object.fromEntries(parts) : undefined;
  }

  /** Such as `APP_DB_PASSWORD`, or `APP_DB_PASSWORD_2` if that name is taken. */
  #nameVariable(words: readonly string[]): string {
    const text = words.join('_').toUpperCase();
    const plain = text.replace(/[^A-Z0-9]+/g, '_').replace(/^_|_$/g, '');
    const base = /^\d/.test(plain) ? `_${plain}` : plain;
    let name = base;
    for (let next = 2; this.#variables.has(name); next++) name = `${base}_${next}`;
    this.#variables.add(name);
    return name;
  }
}

interface ExportedFields {
  readonly fields: Resource;
  /** Possible secrets that no reference can replace, such as numbers. */
  readonly leftOut: readonly string[];
}

const declaredSettings = new Map<string, z.ZodMiniType>(Object.entries(postgresConfigSchema().shape));

/** Converts a value to its declared type: services may return the port as text. */
function toDeclaredType(type: unknown, name: string, value: unknown): unknown {
  const schema = isPostgres(type) ? declaredSettings.get(name) : undefined;
  if (schema === undefined || schema.safeParse(value).success) return value;
  const isFitting = (one: unknown) =>
    isSameValue(`config.${name}`, value, one) && schema.safeParse(one).success;
  return [Number(value), String(value), readSwitch(value)].find(isFitting) ?? value;
}

/** Sorts settings as in the API reference, then the others by name. */
function orderSettings(config: ReadonlyMap<string, unknown>): Resource {
  const names = new Set([...declaredSettings.keys(), ...[...config.keys()].sort()]);
  return Object.fromEntries(
    [...names].flatMap((name) => (config.has(name) ? [[name, config.get(name)]] : [])),
  );
}
