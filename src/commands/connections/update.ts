import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { UsageError } from '../../errors.js';
import { notInReference, withExamples } from '../help-text.js';
import type { AnswerContext } from '../print-answer.js';
import { parseIdentifiers } from '../resource/identifier.js';
import { updateResources } from '../resource/update.js';
import { connectionNoun } from './noun.js';
import { isPasswordGiven, type PasswordOptions, readPassword } from './password.js';
import { parsePort } from './port.js';

interface UpdateOptions extends PasswordOptions {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly database?: string | undefined;
  readonly user?: string | undefined;
  readonly ssl?: boolean | undefined;
}

/** `orgctl connections update <id…>`: `PATCH /connections/{id}` [ours]; what is not named stays as it is. */
export function update(command: Command, context: Context): void {
  withExamples(
    command
      .description(`Change a connection or several ${notInReference}. What is not named stays as it is.`)
      .argument('<id...>', 'ID of a connection')
      .option('--name <name>', 'display name')
      .option('--type <type>', 'kind of database')
      .option('--host <host>', 'host name or address of the database')
      .option('--port <port>', 'its port')
      .option('--database <database>', 'name of the database')
      .option('--user <user>', 'user to log in as')
      .option('--ssl', 'connect with TLS')
      .option('--no-ssl', 'connect without TLS')
      .option('--password-stdin', 'read a new password from stdin')
      .option('--password-env <variable>', 'read a new password from an environment variable'),
    [
      ['orgctl connections update conn_40b46949 --host db2.example.com', 'the database has moved'],
      ['pass show db | orgctl connections update conn_40b46949 --password-stdin', 'a new password'],
    ],
  ).action((ids, options) => updateConnections(ids, options, context));
}

async function updateConnections(
  ids: readonly string[],
  options: UpdateOptions,
  context: AnswerContext & Pick<Context, 'api' | 'stdin' | 'prompt' | 'signal' | 'progress'>,
): Promise<void> {
  parseIdentifiers(ids);
  const patch = await patchOf(options, context);
  if (Object.keys(patch).length === 0) {
    throw new UsageError('nothing to change', { hint: 'orgctl connections update --help lists what can be' });
  }
  const { connections } = await context.api();
  await updateResources(connectionNoun, connections, { ids, patch }, context);
}

async function patchOf(
  options: UpdateOptions,
  context: Pick<Context, 'system' | 'stdin' | 'prompt'>,
): Promise<Record<string, unknown>> {
  const { name, type, host, port, database, user, ssl } = options;
  const config = given({
    host,
    port: port === undefined ? undefined : parsePort(port, '--port'),
    database,
    user,
    ssl,
    password: isPasswordGiven(options) ? await readPassword(options, context) : undefined,
  });
  return { ...given({ name, type }), ...(Object.keys(config).length === 0 ? {} : { config }) };
}

/** The fields that have a value. */
function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
