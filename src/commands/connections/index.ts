import { connections as resource } from '../../api/resources/connection.js';
import { isResource, type Resource } from '../../api/resources/resource.js';
import { option, verb } from '../../cli/command.js';
import { ownCommand } from '../../cli/help-text.js';
import type { View } from '../../terminal/output/printer.js';
import { showAge } from '../../text/duration.js';
import { idsOrNames, type Noun } from '../resource/noun.js';
import { resourceCommand } from '../resource/resource-command.js';

const view: View<Resource> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name', rank: 1 },
    { header: 'TYPE', value: 'type', rank: 3 },
    { header: 'HOST', value: 'config.host', rank: 2 },
    { header: 'PORT', value: 'config.port', align: 'right', rank: 4 },
    { header: 'DATABASE', value: 'config.database', rank: 5 },
    { header: 'USER', value: 'config.user', rank: 6 },
    { header: 'SSL', value: 'config.ssl', rank: 8 },
    { header: 'CREATED', value: 'created_at', drawn: showAge, rank: 7 },
    { header: 'UPDATED', value: 'updated_at', drawn: showAge, rank: 9 },
  ],
  empty: 'no connections',
  fields: ['config'],
};

const connection: Noun = {
  resource,
  exampleName: 'app',
  view,
  place: ({ config }) => (isResource(config) ? config['host'] : undefined),
};

const settings = [
  option('--name <name>', 'display name'),
  option('--type <type>', 'type of database; default of a new connection: postgresql'),
  option('--host <host>', 'host name or address of the database'),
  option('--port <port>', 'port of the database server; default of a new PostgreSQL connection: 5432'),
  option('--database <database>', 'name of the database'),
  option('--user <user>', 'user to log in as'),
  option('--ssl', 'connect with TLS; the default of a new PostgreSQL connection'),
  option('--no-ssl', 'connect without TLS'),
] as const;

const describingOne = [
  ...['name', 'type', 'host', 'port', 'database', 'user', 'ssl'],
  ...['passwordStdin', 'passwordEnv', 'url', 'urlStdin'],
];

const create = verb('create', {
  summary: 'create a connection, or many from a file',
  description:
    'Create a connection to a database from flags or a URL, or many from a file. Passwords are never arguments. Example entry of a file: { name: app, type: postgresql, config: { host: db, database: app, user: app, password: { env: APP_DB_PASSWORD } } }. All entries are checked before any is sent.',
  options: [
    ...settings,
    option('--password-stdin', 'read the password from stdin', { conflicts: ['passwordEnv', 'urlStdin'] }),
    option('--password-env <variable>', 'read the password from an environment variable'),
    option('--url <url>', 'postgres://user@host:5432/database?sslmode=require, without a password'),
    option('--url-stdin', 'read the URL from stdin; it may contain the password', { conflicts: ['url'] }),
    option('--file <path>', 'JSON, YAML or JSONL with connections; - for stdin', {
      conflicts: describingOne,
    }),
    option('--skip-existing', 'skip entries whose name already exists when the command starts'),
    option('--dry-run', 'print the requests with secrets masked, and create nothing'),
  ],
  examples: [
    ['orgctl connections create --name app --host db --database app --user app', 'prompts for the password'],
    ['orgctl connections create --file connections.yaml --skip-existing', 'many; rerun to add missing ones'],
  ],
  calls: 'service',
  writes: ['service'],
  asks: 'for a missing name, and for a missing host, database, user or password of a PostgreSQL connection',
  exits: ['quota_exceeded', 'partial'],
  async run(context, _words, options) {
    // Checks the output format before any prompt.
    await context.printer();
    const { createResources } = await import('../resource/create.js');
    const { entry, readConnection } = await import('./input.js');
    const input = options.file === undefined ? await readConnection(options, context) : undefined;
    return createResources(input, { ...connection, entry }, options, context);
  },
});

const update = verb('update', {
  summary: 'change connections',
  description: `Change one or more connections. Sends only the settings that you give, and fails if the service visibly drops others. ${ownCommand}`,
  args: [idsOrNames(connection.resource)],
  options: [
    ...settings,
    option('--password-stdin', 'read a new password from stdin', { conflicts: ['passwordEnv'] }),
    option('--password-env <variable>', 'read a new password from an environment variable'),
  ],
  examples: [['orgctl connections update app --host db2.example.com', 'the database has moved']],
  calls: 'service',
  writes: ['service'],
  exits: ['partial'],
  async run(context, [texts], options) {
    const { updateResources } = await import('../resource/update.js');
    const { readPatch } = await import('./input.js');
    return updateResources(connection, texts, await readPatch(options, context), context);
  },
});

export const connections = resourceCommand({
  ...connection,
  description: 'List, create, change and delete connections to databases.',
  examples: [['orgctl connections list --all', 'every connection of the organization']],
  create,
  update,
});
