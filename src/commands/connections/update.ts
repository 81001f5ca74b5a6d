import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import type { ConnectionPatch } from '../../contract/connection.js';
import { UsageError } from '../../errors.js';
import { notInReference, withExamples } from '../help-text.js';
import { readSecret } from '../secret-input.js';
import { connectionView } from './view.js';

export interface UpdateOptions {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly database?: string | undefined;
  readonly user?: string | undefined;
  readonly ssl?: boolean | undefined;
  readonly passwordStdin?: boolean | undefined;
  readonly passwordEnv?: string | undefined;
}

/** `orgctl connections update <id>`: `PATCH /connections/{id}` [ours]; what is not named stays as it is. */
export function update(command: Command, context: Context, run = updateConnection): void {
  withExamples(
    command
      .description(`Change a connection ${notInReference}. What is not named stays as it is.`)
      .argument('<id>', 'ID of a connection')
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
  ).action((id, options) => run(id, options, context));
}

export async function updateConnection(
  id: string,
  options: UpdateOptions,
  context: Pick<Context, 'api' | 'printer' | 'system' | 'stdin' | 'prompt'>,
): Promise<void> {
  const printer = await context.printer();
  const patch = await patchOf(options, context);
  if (Object.keys(patch).length === 0) {
    throw new UsageError('nothing to change', { hint: 'orgctl connections update --help lists what can be' });
  }
  const { connections } = await context.api();
  const updated = await connections.update(id, patch);
  await printer.value(updated, [updated], connectionView);
}

async function patchOf(
  options: UpdateOptions,
  context: Pick<Context, 'system' | 'stdin' | 'prompt'>,
): Promise<ConnectionPatch> {
  const { name, type, host, database, user, ssl } = options;
  const config = defined({
    host,
    port: portOf(options.port),
    database,
    user,
    ssl,
    password: await passwordOf(options, context),
  });
  return { ...defined({ name, type }), ...(Object.keys(config).length === 0 ? {} : { config }) };
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new UsageError(`--port ${text}: not a port`);
}

async function passwordOf(
  { passwordStdin, passwordEnv }: UpdateOptions,
  context: Pick<Context, 'system' | 'stdin' | 'prompt'>,
): Promise<string | undefined> {
  if (!passwordStdin && passwordEnv === undefined) return undefined;
  return readSecret(
    { stdin: passwordStdin, env: passwordEnv },
    { prompt: 'New password', stdinFlag: '--password-stdin', envFlag: '--password-env' },
    context,
  );
}

/** The fields that were given. */
function defined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
