import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { countNoun } from '../../text/count-noun.js';
import { sharedDatabase } from '../../verbs/serve/database.js';
import { namingFlags } from '../../verbs/serve/flags.js';
import {
  dataSource,
  dataView,
  type MaintenanceFlags,
  requireNothingBefore,
} from '../../verbs/serve/maintenance.js';

export function check(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        'Check all stored data: the database file, its structure, its values and the quota counts. Also check that the master key decrypts every secret, and list the old master keys that earlier backups may need. Safe while a server runs; changes nothing. Exit 3 if anything is wrong.',
      )
      .option('--data <dir>', 'the data directory; default: the standard one, which orgctl serve prints')
      .option(
        '--database <url>',
        'URL of a shared database, without its password; default ORGCTL_SERVE_DATABASE; to check its files, use pg_amcheck',
      ),
    [
      ['orgctl serve check', 'is all data complete and readable?'],
      ['orgctl serve check --data /var/lib/orgctl -o json', 'the result as JSON, for a script'],
    ],
    {},
  ).action((flags) => {
    requireNothingBefore(command);
    return checkAll(flags, context);
  });
}

async function checkAll(
  flags: MaintenanceFlags,
  context: Pick<Context, 'system' | 'home' | 'printer' | 'note'>,
): Promise<void> {
  const database = sharedDatabase(flags, [], context.system);
  const printer = await context.printer();
  printer.check(dataView, 'value');
  const { checkData } = await import('../../server/maintenance/check-data.js');
  const found = await namingFlags(() => checkData({ ...dataSource(flags, context), database }));
  await printer.one(found, dataView);
  await context.note('no problems found');
  const { oldFingerprints: old } = found;
  if (old.length === 0) return;
  const it = old.length === 1 ? 'it' : 'them';
  await context.note(
    `${countNoun(old.length, 'old master key')} for earlier backups: ${old.join(', ')}; to delete ${it}`,
    ['orgctl', 'serve', 'forget-master-key'],
  );
}
