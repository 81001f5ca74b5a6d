import { type ConnectionInput, connectionInputSchema, connections } from '../../api/resources/connection.js';
import { isResource, type Resource } from '../../api/resources/resource.js';
import { UsageError } from '../../errors/errors.js';
import {
  completeSettings,
  type FoundSecret,
  type SecretReference,
} from '../../input/forms/secret-reference.js';
import type { Prepared } from '../../input/inputs.js';
import { checkDecodedSecret, dropTrailingNewline } from '../../profiles/settings/secret.js';
import type { Creation } from '../resource/create.js';
import type { Noun } from '../resource/noun.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** Entries of files may have references instead of secrets. */
export const connectionCreation = (noun: Noun): Creation<ConnectionInput> => ({
  ...noun,
  create: (input, api) => api.connections.create(input),
  entry: {
    kind: connections.kind,
    singular: connections.singular,
    fields: ['name', 'type', 'config'],
    schemaFor: connectionInputSchema,
    prepare: withSecrets,
  },
});

function withSecrets(body: Readonly<Resource>, env: Variables): Prepared {
  const { type, config } = body;
  if (!isResource(config)) return { body };
  const completed = completeSettings(type, config, (reference) => readVariable(reference, env));
  const secrets = connections.secretSettings(type);
  const settings = Object.entries(completed.config).map(([name, value]) =>
    secrets.includes(name) && typeof value === 'string' ? [name, dropTrailingNewline(value)] : [name, value],
  );
  const [problem] = completed.problems;
  return {
    body: { ...body, config: Object.fromEntries(settings) },
    problem: problem && { path: ['config', ...problem.path], message: problem.what },
  };
}

function readVariable(reference: SecretReference, env: Variables): FoundSecret {
  if (!('env' in reference))
    return { what: 'connections create accepts only { env: NAME }; apply also accepts files and commands' };
  try {
    const refuse = (what: string) => new UsageError(`the variable ${reference.env} ${what}`);
    const secret = checkDecodedSecret(env[reference.env] ?? '', refuse);
    return secret === '' ? { what: `the variable ${reference.env} is not set` } : { secret };
  } catch (error) {
    if (error instanceof UsageError) return { what: error.message };
    throw error;
  }
}
