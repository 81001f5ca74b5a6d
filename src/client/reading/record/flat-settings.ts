import { postgresEssentials } from '../../../api/resources/connection.js';
import type { Resource } from '../../../api/resources/resource.js';
import { hideField } from './hide-field.js';
import { simplifyName } from './record-mark.js';

/** Names of top-level settings, simplified by `simplifyName`. */
const settingNames = {
  host: ['host', 'hostname'],
  port: ['port'],
  database: ['database', 'databasename', 'dbname'],
  user: ['user', 'username'],
  ssl: ['ssl'],
} as const;

/** Adds `config` to a connection with top-level settings; not enumerable, so that printing leaves it out. */
export function addFlatSettings(connection: Resource): Resource {
  if (Object.hasOwn(connection, 'config')) return connection;
  const config = readFlatSettings(connection);
  // Without the essential settings, fields with these names may mean something else.
  if (postgresEssentials.every((name) => typeof config[name] === 'string'))
    hideField(connection, 'config', config);
  return connection;
}

/** Known settings among a connection's fields, without those whose name is ambiguous. */
export function readFlatSettings(connection: Resource): Resource {
  const fields = Object.entries(connection).map(([name, value]) => [simplifyName(name), value] as const);
  return Object.fromEntries(
    Object.entries(settingNames).flatMap(([own, names]) => {
      const known: readonly string[] = names;
      const [found, ...others] = fields.filter(([name]) => known.includes(name));
      return found === undefined || others.length > 0 ? [] : [[own, found[1]]];
    }),
  );
}
