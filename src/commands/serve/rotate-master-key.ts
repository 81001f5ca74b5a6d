import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import type { KeptKey } from '../../server/data/old-master-keys.js';
import { countNoun } from '../../text/count-noun.js';
import { sharedDatabase } from '../../verbs/serve/database.js';
import { namingFlags } from '../../verbs/serve/flags.js';
import { dataSource, type MaintenanceFlags, requireNothingBefore } from '../../verbs/serve/maintenance.js';

export function rotateMasterKey(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        'Encrypt stored secrets and connection settings with a new master key: ORGCTL_SERVE_NEW_MASTER_KEY, or a generated one if the current key is in a file. The old key stays in old-master-keys in the data directory for earlier backups until serve forget-master-key deletes it; an old key from ORGCTL_SERVE_MASTER_KEY is not stored. The change is all or nothing; after an interruption, run it again or start the server. Stop all servers first; with a shared database, a running server answers 503 until it restarts with the new key.',
      )
      .option(
        '--data <dir>',
        'the data directory, with master.key; default: the standard one, which orgctl serve prints',
      )
      .option(
        '--database <url>',
        'URL of a shared database, without its password; default ORGCTL_SERVE_DATABASE',
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
    return rotateKeyOfData(flags, context);
  });
}

export async function rotateKeyOfData(
  flags: MaintenanceFlags,
  context: Pick<Context, 'system' | 'home' | 'printer' | 'note'>,
): Promise<void> {
  const { changeMasterKey } = await import('../../server/data/rotate-master-key.js');
  const outcome = await namingFlags(() =>
    changeMasterKey({
      ...dataSource(flags, context),
      database: sharedDatabase(flags, [], context.system),
      newMasterKey: context.system.env['ORGCTL_SERVE_NEW_MASTER_KEY'] || undefined,
    }),
  );
  const { apiKeys, connections, keyFile, replaced } = outcome;
  const done =
    apiKeys + connections === 0
      ? 'all data is encrypted with the new master key'
      : `${countNoun(apiKeys, 'API key')} and ${countNoun(connections, 'connection')} are encrypted with the new master key`;
  const next =
    keyFile === undefined ? 'set ORGCTL_SERVE_MASTER_KEY to that key' : `it is in ${keyFile}; back it up`;
  await context.note(`${done}; ${next}`);
  for (const old of replaced) await noteOldKey(old, context);
}

function noteOldKey({ fingerprint, file }: KeptKey, { note }: Pick<Context, 'note'>): Promise<void> {
  return file === undefined
    ? note(`older backups need the old master key (${fingerprint}), which is not stored: keep it`)
    : note(
        `older backups need the old master key, which is now in ${file}; when you have deleted those backups`,
        ['orgctl', 'serve', 'forget-master-key', fingerprint],
      );
}
