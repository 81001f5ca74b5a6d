import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import type { TypedView } from '../../../terminal/output/printer.js';
import { showAge } from '../../../terminal/text/age.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';

const snapshotView: TypedView<{ readonly snapshot: string; readonly time: string }> = {
  columns: [
    { header: 'SNAPSHOT', value: 'snapshot', id: true },
    { header: 'TAKEN', value: 'time', drawn: showAge },
  ],
  empty: 'no snapshots',
};

export function list(command: Command, context: Context): void {
  withExamples(
    withData(command.description('List the snapshots, oldest first.')),
    [
      ['orgctl local snapshot list', 'then: orgctl local restore snapshot_1'],
      ["orgctl local snapshot list --query '[-1].snapshot' -r", 'only the newest, for a script'],
    ],
    { calls: 'control' },
  ).action(async (flags, { parent }) => {
    const given = { ...parent?.opts(), ...flags };
    const printer = await context.printer();
    printer.check(snapshotView, 'list');
    const taken = await withControl(given, context, (control) => control.snapshots());
    await printer.list(taken, snapshotView);
  });
}
