import type { Context } from '../../cli/context.js';
import { UsageError } from '../../errors/errors.js';

const variable = 'ORGCTL_SERVE_DATABASE';

interface DatabaseFlags {
  readonly database?: string | undefined;
  readonly ephemeral?: boolean | undefined;
}

/**
 * The URL from flag or variable. With a command, ignores the variable: tests must not run against shared data.
 * @throws UsageError that never quotes the URL, for example if the flag has a password, which all users could read
 */
export function sharedDatabase(
  { database, ephemeral }: DatabaseFlags,
  command: readonly string[],
  { env }: Pick<Context['system'], 'env'>,
): string | undefined {
  if (database === undefined) {
    return ephemeral || command.length > 0 ? undefined : env['ORGCTL_SERVE_DATABASE'] || undefined;
  }
  if (ephemeral) throw new UsageError('--ephemeral and --database cannot be combined');
  if (!/^postgres(?:ql)?:\/\//i.test(database)) {
    throw new UsageError('--database: not a PostgreSQL URL', {
      hint: 'for example --database postgres://user@host:5432/orgctl',
    });
  }
  const [, user = ''] = /^[^/]*\/\/([^/?#]*)@/.exec(database) ?? [];
  if (user.includes(':') || /[?&]password=/i.test(database)) {
    throw new UsageError(
      '--database has a password in it, and every user of this machine can read arguments',
      {
        hint: `leave it out and set PGPASSWORD, or set ${variable} to the whole URL instead of --database`,
      },
    );
  }
  return database;
}
