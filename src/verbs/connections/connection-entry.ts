import { type ConnectionInput, connectionInputSchema, isPostgres } from '../../api/resources/connection.js';
import { isResource, type Resource } from '../../api/resources/resource.js';
import type { EntryKind, Prepared } from '../../input/entry.js';
import { dropTrailingNewline } from '../../profiles/settings/secret.js';
import type { CreationKind } from '../resource/creation.js';
import { connection } from './connection.js';

export const connectionCreation: CreationKind<ConnectionInput> = {
  ...connection,
  create: (input, { connections }) => connections.create(input),
};

/** The body of `POST /connections` (reference, section 2); `config.password_env` keeps passwords out of files. */
export const connectionEntryKind: EntryKind<ConnectionInput> = {
  singular: 'connection',
  fields: ['name', 'type', 'config'],
  schemaFor: connectionInputSchema,
  prepare: withPassword,
};

type PasswordEnvironment = Readonly<Record<string, string | undefined>>;

/** Replaces `password_env` with the variable's value, less a trailing newline. */
function withPassword(body: Readonly<Resource>, env: PasswordEnvironment): Prepared {
  const { type, config } = body;
  if (!isPostgres(type) || !isResource(config)) return { body };
  if (Object.hasOwn(config, 'password_env')) return passwordFromVariable(body, config, env);
  const { password } = config;
  if (typeof password !== 'string') return { body };
  return { body: { ...body, config: { ...config, password: dropTrailingNewline(password) } } };
}

function passwordFromVariable(
  body: Readonly<Resource>,
  { password_env: variable, ...rest }: Readonly<Resource>,
  env: PasswordEnvironment,
): Prepared {
  const path = ['config', 'password_env'];
  // The missing password is already reported.
  const failed = (what: string): Prepared => ({
    body: { ...body, config: { password: '', ...rest } },
    problem: { path, what },
  });
  if (Object.hasOwn(rest, 'password')) return failed('there is a password already');
  if (typeof variable !== 'string' || variable === '') return failed('not the name of a variable');
  const password = dropTrailingNewline(env[variable] ?? '');
  if (password === '') return failed(`the variable ${variable} is not set`);
  return { body: { ...body, config: { ...rest, password } } };
}
