import { basename } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import type { ForgettableKeys } from '../../server/maintenance/forget-master-key.js';
import type { TypedView } from '../../terminal/output/printer.js';
import { requireConfirmation, yesOption } from '../../verbs/local/with-control.js';
import { sharedDatabase } from '../../verbs/serve/database.js';
import { namingFlags } from '../../verbs/serve/flags.js';
import { dataSource, type MaintenanceFlags, requireNothingBefore } from '../../verbs/serve/maintenance.js';

interface ForgetFlags extends MaintenanceFlags {
  readonly yes?: boolean | undefined;
}

export function forgetMasterKey(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        'Delete the old master keys that orgctl serve rotate-master-key stored in old-master-keys in the data directory. Backups made with them can then no longer be restored. Keys that the data needs are never deleted. Safe while a server runs.',
      )
      .argument(
        '[fingerprint...]',
        'fingerprints of the keys, as orgctl serve check prints them; default: all',
      )
      .option('--data <dir>', 'the data directory; default: the standard one, which orgctl serve prints')
      .option(
        '--database <url>',
        'URL of a shared database, without its password; default ORGCTL_SERVE_DATABASE',
      )
      .option(...yesOption),
    [
      ['orgctl serve forget-master-key', 'once no backup needs an old key'],
      ['orgctl serve forget-master-key 1f0c6e2d9a7b4835 --yes', 'one of them, in a script'],
    ],
    { writes: ['data'], asks: 'first, unless --yes' },
  ).action((fingerprints, flags) => {
    requireNothingBefore(command);
    return forget(fingerprints, flags, context);
  });
}

interface Forgotten {
  readonly fingerprint: string;
  readonly replacedAt: string;
  readonly neededBy: readonly string[];
}

const view: TypedView<Forgotten> = {
  columns: [
    { header: 'FINGERPRINT', value: 'fingerprint', id: true },
    { header: 'REPLACED', value: 'replacedAt' },
    { header: 'NEEDED BY', value: ({ neededBy }) => neededBy.join(', ') },
  ],
  fields: ['neededBy'],
  empty: 'no old master keys',
};

async function forget(
  fingerprints: readonly string[],
  { yes, ...flags }: ForgetFlags,
  context: Pick<Context, 'system' | 'home' | 'printer' | 'note' | 'prompt'>,
): Promise<void> {
  const printer = await context.printer();
  printer.check(view, 'list');
  const options = {
    ...dataSource(flags, context),
    database: sharedDatabase(flags, [], context.system),
    fingerprints,
  };
  const { findKeysToForget, forgetKeys } = await import('../../server/maintenance/forget-master-key.js');
  const found = await namingFlags(() => findKeysToForget(options));
  if (found.keys.length > 0) {
    await requireConfirmation(question(found), yes, context);
    await namingFlags(() => forgetKeys(found.keys, options));
  }
  const forgotten = found.keys.map(({ key: { fingerprint, replacedAt }, neededBy }) => ({
    fingerprint,
    replacedAt,
    neededBy,
  }));
  await printer.list(forgotten, view);
  if (forgotten.length > 0)
    await context.note(
      `deleted; backups that need ${found.keys.length === 1 ? 'it' : 'them'} can no longer be restored`,
    );
}

function question(found: ForgettableKeys): string {
  const { keys, unreadable } = found;
  const named = keys.map(({ key }) => `${key.fingerprint} (replaced ${key.replacedAt})`).join(', ');
  const doubtful =
    unreadable.length === 0 ? '' : ` Unreadable, so they may need one, too: ${unreadable.join(', ')}.`;
  const [which, it] =
    keys.length === 1 ? ['the old master key', 'it'] : [`${keys.length} old master keys:`, 'them'];
  const files = [...new Set(keys.flatMap(({ neededBy }) => neededBy.map((file) => basename(file))))];
  const including = files.length === 0 ? '' : `, including ${listNames(files)}`;
  return `Delete ${which} ${named}? Backups that need ${it} can then no longer be restored${including}.${doubtful}`;
}

function listNames(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(names);
}
