import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { ownCommand, withExamples } from '../../cli/help-text.js';
import { UsageError } from '../../errors/errors.js';
import {
  type ConfigFlags,
  given,
  isPasswordGiven,
  readConfig,
  readPassword,
} from '../../verbs/connections/config-flags.js';
import { connection } from '../../verbs/connections/connection.js';
import type { AnswerContext } from '../../verbs/print-answer.js';
import { parseIdentifiers } from '../../verbs/resource/named.js';
import { updateResources } from '../../verbs/resource/update.js';

interface UpdateOptions extends ConfigFlags {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
}

export function update(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        `Change one or more connections. Settings that you do not give stay unchanged. ${ownCommand}`,
      )
      .argument('<id-or-name...>', 'ID or exact name of the connection')
      .option('--name <name>', 'display name')
      .option('--type <type>', 'type of database')
      .option('--host <host>', 'host name or address of the database')
      .option('--port <port>', 'port of the database server')
      .option('--database <database>', 'name of the database')
      .option('--user <user>', 'user to log in as')
      .option('--ssl', 'connect with TLS')
      .option('--no-ssl', 'connect without TLS')
      .option('--password-stdin', 'read a new password from stdin')
      .option('--password-env <variable>', 'read a new password from an environment variable'),
    [
      ['orgctl connections update app --host db2.example.com', 'the database has moved'],
      ['pass show db | orgctl connections update app --password-stdin', 'a new password'],
    ],
    { calls: 'service', writes: ['service'], exits: ['partial'] },
  ).action((texts, options) => updateConnections(texts, options, context));
}

async function updateConnections(
  texts: readonly string[],
  options: UpdateOptions,
  context: AnswerContext &
    Pick<Context, 'api' | 'settings' | 'stdin' | 'prompt' | 'signal' | 'progress' | 'note'>,
): Promise<void> {
  parseIdentifiers(connection.resource, texts);
  const patch = await readPatch(options, context);
  if (Object.keys(patch).length === 0) {
    throw new UsageError('nothing to change: give at least one option', {
      hint: 'options',
      next: ['orgctl', 'connections', 'update', '--help'],
    });
  }
  await updateResources(connection, { texts, patch }, context);
}

async function readPatch(
  options: UpdateOptions,
  context: Pick<Context, 'system' | 'stdin' | 'prompt'>,
): Promise<Record<string, unknown>> {
  const { name, type } = options;
  const typed = readConfig(options);
  const password = isPasswordGiven(options) ? await readPassword(options, context) : undefined;
  const config = { ...typed, ...given({ password }) };
  return { ...given({ name, type }), ...(Object.keys(config).length === 0 ? {} : { config }) };
}
