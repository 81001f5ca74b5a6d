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

interface RestoreFlags extends MaintenanceFlags {
  readonly force?: boolean | undefined;
}

export function restore(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        "Replace the embedded database with a backup, after checking the whole backup. The backup's master key is read from the data directory, ORGCTL_SERVE_MASTER_KEY or old-master-keys. Data that an old key encrypted is re-encrypted with the current key. orgctl refuses while a server uses the directory or, without --force, if the directory has data. The directory's keys and certificates stay.",
      )
      .argument('<file>', 'a backup, as serve backup writes it')
      .option('--data <dir>', 'the data directory; default: the standard one, which orgctl serve prints')
      .option('--force', 'replace existing data, which is moved to orgctl.db.before-…'),
    [
      ['orgctl serve restore orgctl.db --data /var/lib/orgctl', 'into a directory that has only master.key'],
      ['orgctl serve restore orgctl.db --force', 'to replace damaged data'],
    ],
    { writes: ['data'] },
  ).action((file, flags) => {
    requireNothingBefore(command);
    return putBack(file, flags, context);
  });
}

async function putBack(
  file: string,
  flags: RestoreFlags,
  context: Pick<Context, 'system' | 'home' | 'printer' | 'note'>,
): Promise<void> {
  requireEmbedded(flags, 'restore', context);
  const printer = await context.printer();
  printer.check(dataView, 'value');
  const { restoreData } = await import('../../server/maintenance/restore-data.js');
  const restored = await namingFlags(() =>
    restoreData({
      ...dataSource(flags, context),
      file: resolve(context.system.cwd(), file),
      force: flags.force,
    }),
  );
  await printer.one(restored, dataView);
  const kept = restored.replaced === undefined ? '' : `; the previous data is in ${restored.replaced}`;
  await context.note(`restored to ${restored.data}${kept}`);
  const { fingerprint, backupFingerprint } = restored;
  if (fingerprint === backupFingerprint) return;
  await context.note(
    `the backup used the old master key ${backupFingerprint}; the data is now encrypted with the current one (${fingerprint})`,
  );
}
