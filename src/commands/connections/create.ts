import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { type ConnectionInput, connectionInputSchema, isPostgres } from '../../contract/connection.js';
import { describeIssues } from '../../contract/schema.js';
import { UsageError } from '../../errors.js';
import { withExamples } from '../help-text.js';
import { readSecret } from '../secret-input.js';
import { connectionView, plannedRequestView } from './view.js';

export interface CreateOptions {
  readonly name?: string | undefined;
  readonly type: string;
  readonly host?: string | undefined;
  readonly port: string;
  readonly database?: string | undefined;
  readonly user?: string | undefined;
  readonly ssl: boolean;
  readonly passwordStdin?: boolean | undefined;
  readonly passwordEnv?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

/** `orgctl connections create`: `POST /connections` (reference, sections 2 and 4). */
export function create(command: Command, context: Context, run = createConnection): void {
  withExamples(
    command
      .description(
        'Create a database connection. The password is asked for, or comes from stdin or a variable.',
      )
      .option('--name <name>', 'display name')
      .option('--type <type>', 'kind of database; postgresql and pg mean PostgreSQL', 'postgresql')
      .option('--host <host>', 'host name or address of the database')
      .option('--port <port>', 'its port', '5432')
      .option('--database <database>', 'name of the database')
      .option('--user <user>', 'user to log in as')
      .option('--ssl', 'connect with TLS', true)
      .option('--no-ssl', 'connect without TLS')
      .option('--password-stdin', 'read the password from stdin')
      .option('--password-env <variable>', 'read the password from an environment variable')
      .option('--dry-run', 'print the request with the password masked, and send nothing'),
    [
      [
        'orgctl connections create --name app --host db.example.com --database app --user app',
        'asks for the password',
      ],
      [
        'orgctl connections create --name app --host db --database app --user app --password-env PGPASSWORD -o json',
        'in a script',
      ],
    ],
  ).action((options) => run(options, context));
}

export async function createConnection(
  options: CreateOptions,
  context: Pick<Context, 'api' | 'printer' | 'system' | 'stdin' | 'prompt'>,
): Promise<void> {
  requireFlags(options);
  const printer = await context.printer();
  const password = await readSecret(
    { stdin: options.passwordStdin, env: options.passwordEnv },
    { prompt: 'Password', stdinFlag: '--password-stdin', envFlag: '--password-env' },
    context,
  );
  const input = connectionInput(options, password);
  if (options.dryRun) {
    const body = { ...input, config: { ...input.config, password: '********' } };
    const planned = { method: 'POST', target: '/connections', body };
    return printer.value(planned, [planned], plannedRequestView);
  }
  const { connections } = await context.api();
  const created = await connections.create(input);
  return printer.value(created, [created], connectionView);
}

// Asked before the password is: nobody should type one for a command that cannot work.
function requireFlags(options: CreateOptions): void {
  const needed = isPostgres(options.type)
    ? (['name', 'host', 'database', 'user'] as const)
    : (['name'] as const);
  const missing = needed.filter((flag) => options[flag] === undefined).map((flag) => `--${flag}`);
  if (missing.length > 0) throw new UsageError(`missing: ${missing.join(', ')}`);
}

function connectionInput(options: CreateOptions, password: string): ConnectionInput {
  const { name, type, host, database, user, ssl } = options;
  const port = /^\d+$/.test(options.port) ? Number(options.port) : options.port;
  const body = { name, type, config: { host, port, database, user, password, ssl } };
  const parsed = connectionInputSchema(body).safeParse(body);
  if (parsed.success) return parsed.data;
  throw new UsageError(`not a valid connection: ${describeIssues(parsed.error)}`);
}
