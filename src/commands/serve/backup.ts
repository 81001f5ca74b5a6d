import { resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { namingFlags } from '../../verbs/serve/flags.js';
import {
  dataSource,
  dataView,
  type MaintenanceFlags,
  requireEmbedded,
  requireNothingBefore,
} from '../../verbs/serve/maintenance.js';

export function backup(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        'Copy the embedded database to a file (0600), complete and checked, even while its server runs. The file contains the fingerprint of the master key, but not the key; back up the key separately. An existing file is never replaced.',
      )
      .argument('<file>', 'the backup to write')
      .option('--data <dir>', 'the data directory; default: the standard one, which orgctl serve prints'),
    [
      ['orgctl serve backup "orgctl-$(date +%F).db"', "today's backup"],
      [
        'orgctl serve backup /backup/orgctl.db --data /var/lib/orgctl -o json --query fingerprint -r',
        'which master key it needs',
      ],
    ],
    { writes: ['files'] },
  ).action((file, flags) => {
    requireNothingBefore(command);
    return backUp(file, flags, context);
  });
}

async function backUp(
  file: string,
  flags: MaintenanceFlags,
  context: Pick<Context, 'system' | 'home' | 'printer' | 'note'>,
): Promise<void> {
  requireEmbedded(flags, 'backup', context);
  const printer = await context.printer();
  printer.check(dataView, 'value');
  const { backUpData } = await import('../../server/maintenance/backup-data.js');
  const made = await namingFlags(() =>
    backUpData({
      ...dataSource(flags, context),
      file: resolve(context.system.cwd(), file),
    }),
  );
  await printer.one(made, dataView);
  await context.note(
    `wrote ${made.file}. It does not contain the master key ${made.fingerprint}: back that up separately`,
  );
}
