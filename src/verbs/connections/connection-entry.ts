import { type ConnectionInput, connectionInputSchema, connections } from '../../api/resources/connection.js';
import { isResource, type Resource } from '../../api/resources/resource.js';
import type { EntryKind, Prepared } from '../../input/entry.js';
import { completeSettings, type FoundSecret } from '../../input/forms/connection-settings.js';
import type { SecretReference } from '../../input/forms/secret-reference.js';
import { dropTrailingNewline } from '../../profiles/settings/secret.js';
import type { CreationKind } from '../resource/creation.js';
import { connection } from './connection.js';

export const connectionCreation: CreationKind<ConnectionInput> = {
  ...connection,
  create: (input, { connections }) => connections.create(input),
};

/** The body of `POST /connections`, which may have references instead of secrets. */
export const connectionEntryKind: EntryKind<ConnectionInput> = {
  kind: connections.kind,
  singular: connections.singular,
  fields: ['name', 'type', 'config'],
  schemaFor: connectionInputSchema,
  prepare: withSecrets,
};

function withSecrets(body: Readonly<Resource>, env: Readonly<Record<string, string | undefined>>): Prepared {
  const { type, config } = body;
  if (!isResource(config)) return { body };
  const completed = completeSettings(type, config, (reference) => readVariable(reference, env));
  const [problem] = completed.problems.map(({ path, what }) => ({ path: ['config', ...path], what }));
  return {
    body: { ...body, config: withoutNewline(completed.config, connections.secretSettings(type)) },
    ...(problem === undefined ? {} : { problem }),
  };
}

function readVariable(
  reference: SecretReference,
  env: Readonly<Record<string, string | undefined>>,
): FoundSecret {
  if (!('env' in reference))
    return { what: 'connections create accepts only { env: NAME }; apply also accepts files and commands' };
  const secret = dropTrailingNewline(env[reference.env] ?? '');
  return secret === '' ? { what: `the variable ${reference.env} is not set` } : { secret };
}

function withoutNewline(config: Resource, secrets: readonly string[]): Resource {
  const fields = Object.entries(config).map(
    ([name, value]) =>
      [
        name,
        secrets.includes(name) && typeof value === 'string' ? dropTrailingNewline(value) : value,
      ] as const,
  );
  return Object.fromEntries(fields);
}
