import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { type LazyCommand, mountCommands } from '../../../cli/lazy-command.js';
import { adviseIfUnwritten } from '../../../verbs/done-unwritten.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';

const verbs: readonly LazyCommand[] = [
  {
    name: 'list',
    summary: 'list the snapshots',
    load: async () => (await import('./list.js')).list,
  },
];

export function snapshot(command: Command, context: Context): void {
  mountCommands(command, verbs, context);
  command.usage('[options] [command]');
  withExamples(
    withData(
      command.description(
        'Take a snapshot of all data of the server on this machine, in memory, and print its name for orgctl local restore. The server keeps the last 100 snapshots, up to 256 MiB in total.',
      ),
    ),
    [
      ['BEFORE=$(orgctl local snapshot)', 'then: orgctl local restore $BEFORE'],
      ['orgctl local snapshot list', 'existing snapshots'],
    ],
    { calls: 'control', writes: ['server'] },
  ).action(async (flags) => {
    const taken = await withControl(flags, context, (control) => control.snapshot());
    const printing = context.textPrinter().then((printer) => printer.line(taken.snapshot));
    await adviseIfUnwritten(printing, {
      hint: 'the snapshot was taken; to list it',
      next: ['orgctl', 'local', 'snapshot', 'list'],
    });
  });
}
