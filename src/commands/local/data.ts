import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import {
  nameOf,
  requireConfirmation,
  withControl,
  withData,
  yesOption,
} from '../../verbs/local/with-control.js';

/** `orgctl local snapshot` */
export function snapshot(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description(
        'Take a snapshot of all data of the server on this machine, in memory; prints the name that restore takes. The last 100 are kept.',
      ),
    ),
    [['BEFORE=$(orgctl local snapshot)', 'then: orgctl local restore $BEFORE']],
    { calls: 'control', writes: ['server'] },
  ).action(async (flags) => {
    const taken = await withControl(flags, context, (control) => control.snapshot());
    await (await context.printer()).line(taken.snapshot);
  });
}

/** `orgctl local restore <snapshot>` */
export function restore(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description(
        'Return all data of the server on this machine to a snapshot; later changes are lost.',
      ),
    )
      .argument('<snapshot>', 'the name that orgctl local snapshot printed')
      .option(...yesOption),
    [['orgctl local restore snapshot_1 --yes', 'as often as you like']],
    { calls: 'control', writes: ['server'], asks: 'before, unless --yes' },
  ).action(async (name, { yes, ...flags }) => {
    await withControl(flags, context, async (control, server) => {
      const question = `Replace all data of ${nameOf(server)} with ${name}?`;
      await requireConfirmation(question, yes, context);
      await control.restore(name);
      await context.note(`all data is as it was at ${name}`);
    });
  });
}

/** `orgctl local reset` */
export function reset(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description(
        'Return the server on this machine to its state at the start: only the data of the first organization, or of the seed; clock, faults, rate limit and journal as at the start. Everything else is lost; snapshots stay.',
      ),
    ).option(...yesOption),
    [['orgctl local reset --yes', 'before each test']],
    { calls: 'control', writes: ['server'], asks: 'before, unless --yes' },
  ).action(async ({ yes, ...flags }) => {
    await withControl(flags, context, async (control, server) => {
      await requireConfirmation(`Delete all data of ${nameOf(server)}?`, yes, context);
      await control.reset();
      await context.note('the server is as it was when it started');
    });
  });
}
