import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { withExamples } from '../help-text.js';
import { sharedDatabase } from './database.js';
import { namingFlags } from './flags.js';
import { dataSource, type MaintenanceFlags, requireNothingBefore } from './maintenance.js';

/** `orgctl serve rotate-master-key` */
export function rotateMasterKey(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        'Encrypt the stored secrets and connection settings with another master key: the one in ORGCTL_SERVE_NEW_MASTER_KEY, or a generated one if the key is in a file. All or nothing: if it is interrupted, run it again, or start the server. Stop the servers first; those still running answer 503 until they are started with the new key.',
      )
      .option('--data <dir>', "where master.key lives; default the platform's data directory")
      .option(
        '--database <url>',
        'the shared database, if the data is there, without password; or ORGCTL_SERVE_DATABASE',
      ),
    [
      ['orgctl serve rotate-master-key', 'the data and the key of a server on this machine'],
      [
        'orgctl serve rotate-master-key --database postgres://orgctl@db/orgctl',
        'from ORGCTL_SERVE_MASTER_KEY to ORGCTL_SERVE_NEW_MASTER_KEY',
      ],
    ],
    { writes: ['data'] },
  ).action((flags) => {
    requireNothingBefore(command);
    return rotate(flags, context);
  });
}

export async function rotate(
  flags: MaintenanceFlags,
  context: Pick<Context, 'system' | 'home' | 'printer' | 'note'>,
): Promise<void> {
  const { changeMasterKey } = await import('../../server/data/rotate-master-key.js');
  const { apiKeys, connections, keyFile } = await namingFlags(() =>
    changeMasterKey({
      ...dataSource(flags, context),
      database: sharedDatabase(flags, [], context.system),
      newMasterKey: context.system.env['ORGCTL_SERVE_NEW_MASTER_KEY'] || undefined,
    }),
  );
  const done =
    apiKeys + connections === 0
      ? 'everything is encrypted with the new master key'
      : `${apiKeys} API keys and ${connections} connections are encrypted with the new master key`;
  const next =
    keyFile === undefined ? 'set ORGCTL_SERVE_MASTER_KEY to it' : `it is in ${keyFile}; back it up`;
  await context.note(`${done}; ${next}`);
}
