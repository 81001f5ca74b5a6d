import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { connectionExample } from '../../input/forms/connection-example.js';
import type { ConnectionFlags } from '../../verbs/connections/connection-flags.js';
import type { CreationOptions } from '../../verbs/resource/creation/creation.js';

interface CreateConnectionOptions extends ConnectionFlags, CreationOptions {
  readonly file?: string | undefined;
}

const connectionDescription = `Create a connection to a database from flags or a URL, or many from a file. Passwords are never taken from arguments: without --file, they are read from stdin or an environment variable, or prompted for. On a terminal, orgctl also prompts for a missing name, host, database or user of a PostgreSQL connection. Example entry: ${connectionExample}. All entries are checked before any is sent.`;

export function create(command: Command, context: Context): void {
  const fileOption = command
    .createOption(
      '--file <path>',
      'JSON, YAML or JSONL with one or more connections, or a file from export; - for stdin',
    )
    .conflicts([...describingOne]);
  withExamples(
    command
      .description(connectionDescription)
      .option('--name <name>', 'display name')
      .option('--type <type>', 'type of database, default postgresql; pg also means PostgreSQL')
      .option('--host <host>', 'host name or address of the database')
      .option('--port <port>', 'port of the database server; 5432 by default for PostgreSQL')
      .option('--database <database>', 'name of the database')
      .option('--user <user>', 'user to log in as')
      .option('--ssl', 'connect with TLS; the default for PostgreSQL')
      .option('--no-ssl', 'connect without TLS')
      .option('--password-stdin', 'read the password from stdin')
      .option('--password-env <variable>', 'read the password from an environment variable')
      .option('--url <url>', 'postgres://user@host:5432/database?sslmode=require, without a password')
      .option('--url-stdin', 'read the URL from stdin; it may contain the password')
      .addOption(fileOption)
      .option('--skip-existing', 'skip entries whose name already exists when the command starts')
      .option('--up-to-quota', 'create as many entries as the quota allows')
      .option('--dry-run', 'print the requests with secrets masked, check the quota, and create nothing'),
    connectionExamples,
    {
      calls: 'service',
      writes: ['service'],
      asks: 'for a missing name, host, database, user or password; for types other than PostgreSQL, for settings only if none is given',
      exits: ['quota_exceeded', 'partial'],
    },
  ).action((options) => createConnections(options, context));
}

const describingOne = [
  'name',
  'type',
  'host',
  'port',
  'database',
  'user',
  'ssl',
  'passwordStdin',
  'passwordEnv',
  'url',
  'urlStdin',
] as const;

const connectionExamples = [
  [
    'orgctl connections create --name app --host db.example.com --database app --user app',
    'prompts for the password',
  ],
  [
    'orgctl connections create --name app --url postgres://app@db.example.com/app --password-env PGPASSWORD -o json',
    'in a script',
  ],
  [
    'orgctl connections create --file connections.yaml --skip-existing',
    'many; run it again for the missing ones',
  ],
] as const;

async function createConnections(
  options: CreateConnectionOptions,
  context: Context,
): Promise<void> {
  // Checks the output format before any prompt.
  await context.printer();
  // Loaded here, to keep help fast.
  const { createAll, createOne } = await import('../../verbs/resource/creation/creation.js');
  const { connectionCreation, connectionEntryKind } = await import(
    '../../verbs/connections/connection-entry.js'
  );
  const { noteNearTypes } = await import('../../verbs/connections/near-type.js');
  if (options.file === undefined) {
    await noteNearTypes([options.type], context);
    const { describedByFlags } = await import('../../verbs/connections/connection-flags.js');
    return createOne(await describedByFlags(options, context), connectionCreation, options, context);
  }
  const { readInputs } = await import('../../input/inputs.js');
  const inputs = await readInputs(options.file, connectionEntryKind, context);
  await noteNearTypes(
    inputs.map(({ type }) => type),
    context,
  );
  return createAll(inputs, connectionCreation, options, context);
}
