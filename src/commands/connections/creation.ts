import { type ConnectionInput, connectionInputSchema, connections } from '../../api/resources/connection.js';
import { isResource, type Resource } from '../../api/resources/resource.js';
import { readMessage, UsageError } from '../../errors/errors.js';
import {
  completeSettings,
  type FoundSecret,
  type SettingProblem,
} from '../../input/forms/connection-settings.js';
import type { SecretReference } from '../../input/forms/secret-reference.js';
import type { Prepared } from '../../input/inputs.js';
import {
  checkDecodedSecret,
  dropTrailingNewline,
  requireNoNul,
} from '../../profiles/settings/secret-text.js';
import type { Creation } from '../resource/create.js';
import { connection } from './noun.js';

/** Entries of files may have references instead of secrets. */
export const connectionCreation: Creation<ConnectionInput> = {
  ...connection,
  create: (input, api) => api.connections.create(input),
  entry: {
    kind: connections.kind,
    singular: connections.singular,
    fields: ['name', 'type', 'config'],
    schemaFor: connectionInputSchema,
    prepare: withSecrets,
  },
};

function withSecrets(body: Readonly<Resource>, env: Readonly<Record<string, string | undefined>>): Prepared {
  const { type, config } = body;
  if (!isResource(config)) return { body };
  const completed = completeSettings(type, config, (reference) => readVariable(reference, env));
  const written = cleanWritten(completed.config, connections.secretSettings(type));
  const [problem] = [...completed.problems, ...written.problems].map(({ path, what }) => ({
    path: ['config', ...path],
    what,
  }));
  return {
    body: { ...body, config: written.config },
    ...(problem === undefined ? {} : { problem }),
  };
}

function readVariable(
  reference: SecretReference,
  env: Readonly<Record<string, string | undefined>>,
): FoundSecret {
  if (!('env' in reference))
    return { what: 'connections create accepts only { env: NAME }; apply also accepts files and commands' };
  const source = `the variable ${reference.env}`;
  return find(() => {
    const refuse = (what: string) => new UsageError(`${source} ${what}`);
    const secret = checkDecodedSecret(env[reference.env] ?? '', refuse);
    if (secret === '') throw refuse('is not set');
    return secret;
  });
}

/** Secrets that the file itself has. */
function cleanWritten(config: Resource, secrets: readonly string[]) {
  const problems: SettingProblem[] = [];
  const fields = Object.entries(config).map(([name, value]) => {
    if (!secrets.includes(name) || typeof value !== 'string') return [name, value] as const;
    const found = find(() => requireNoNul(dropTrailingNewline(value), (what) => new UsageError(what)));
    if ('what' in found) problems.push({ path: [name], what: found.what });
    return [name, 'secret' in found ? found.secret : ''] as const;
  });
  return { config: Object.fromEntries(fields), problems };
}

function find(read: () => string): FoundSecret {
  try {
    return { secret: read() };
  } catch (error) {
    if (error instanceof UsageError) return { what: readMessage(error) };
    throw error;
  }
}
