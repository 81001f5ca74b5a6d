import { fileVersion, kindsOfFile } from '../../contract/organization-file.js';
import { isResource, type Resource } from '../../contract/resource.js';
import { connections, isPostgres, postgresConfigSchema } from '../../contract/resources/connection.js';
import type { DeclaredResource, ResourceKind } from '../../contract/resources/index.js';
import { groupedByName, type World } from '../organization/world.js';

/** An organization as a file, and notes about it. */
interface Exported {
  readonly organization: Resource;
  readonly notes: readonly string[];
}

/**
 * The existing resources as a file: by kind, then by name, so that the same resources make the same file. What an entry
 * cannot express is left out.
 */
export function organizationOf(world: World): Exported {
  const variables = new VariableNames();
  const lists = kindsOfFile.map((resource) => {
    const all = (world.get(resource) ?? []).filter(hasName);
    const namesakes = groupedByName(all);
    const entries = all.toSorted(byName).map((one) => ({
      name: one['name'],
      // A name that several have tells none of them.
      ...((namesakes.get(one['name'])?.length ?? 0) > 1 ? { id: one['id'] } : {}),
      ...(fields[resource.kind]?.(one, variables) ?? {}),
    }));
    return [resource.kind, entries] as const;
  });
  const organization = { version: fileVersion, ...Object.fromEntries(lists) };
  return { organization, notes: [...variableNotes(variables), ...hiddenNotes(world)] };
}

/** The name is what an entry is known by; the reference shows none of it. */
function hasName({ name }: Resource): boolean {
  return typeof name === 'string' && name !== '';
}

/** By code units, which are the same on every machine; of one name by ID. */
function byName(one: Resource, other: Resource): number {
  return (
    compare(String(one['name']), String(other['name'])) || compare(String(one['id']), String(other['id']))
  );
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** What an entry of a kind says beside its name. */
const fields: Partial<Record<ResourceKind, (resource: Resource, variables: VariableNames) => Resource>> = {
  connections: connectionFields,
  // New keys are enabled, and no file can enable a disabled one.
  'api-keys': ({ enabled }) => (enabled === false ? { enabled } : {}),
};

const postgresFields = Object.keys(postgresConfigSchema.shape);

function connectionFields(connection: Resource, variables: VariableNames): Resource {
  const { type, config } = connection;
  const shown = isResource(config) ? config : {};
  if (!isPostgres(type)) return { type, config: inOrder(shown) };
  return { type, config: inOrder({ ...shown, password: { env: variables.passwordOf(connection) } }) };
}

/** The fields of the reference in its order, then the others by name. */
function inOrder(config: Resource): Resource {
  const known = postgresFields.filter((name) => Object.hasOwn(config, name));
  const others = Object.keys(config)
    .filter((name) => !postgresFields.includes(name))
    .sort();
  return Object.fromEntries([...known, ...others].map((name) => [name, config[name]]));
}

function variableNotes({ count }: VariableNames): readonly string[] {
  if (count === 0) return [];
  const what = count === 1 ? 'a password' : `${count} passwords`;
  return [
    `the file refers to ${what} by environment variables, which apply reads when it creates a connection, and with --set-secrets`,
  ];
}

function hiddenNotes(world: World): readonly string[] {
  const declared: DeclaredResource = connections;
  const others = (world.get(declared) ?? []).filter(({ type }) => !isPostgres(type));
  if (others.length === 0) return [];
  const what = others.length === 1 ? 'a connection is' : `${others.length} connections are`;
  return [
    `${what} of a type other than PostgreSQL: the file lacks the settings that the service does not return`,
  ];
}

/** Names of environment variables for secrets, each once in a file. */
class VariableNames {
  readonly #taken = new Set<string>();

  get count(): number {
    return this.#taken.size;
  }

  /** Such as `APP_DB_PASSWORD` for the connection `app`; with part of its ID if that is taken. */
  passwordOf({ name, id }: Resource): string {
    const stem = wordOf(String(name)) || 'CONNECTION';
    const suffixes = ['', `_${wordOf(String(id)).slice(-6)}`, `_${wordOf(String(id))}`];
    const names = suffixes.map((suffix) => `${stem}${suffix}_DB_PASSWORD`);
    const free = names.find((one) => !this.#taken.has(one)) ?? `${stem}_${this.#taken.size}_DB_PASSWORD`;
    this.#taken.add(free);
    return free;
  }
}

/** A text in the form of a variable name: capitals, digits and `_`, no digit first. */
function wordOf(text: string): string {
  const word = text
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '');
  return /^\d/.test(word) ? `_${word}` : word;
}
