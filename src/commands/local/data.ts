import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { withExamples } from '../help-text.js';
import { confirmed, yesOption } from './confirmed.js';
import { withControl, withData } from './with-control.js';

/** `orgctl local snapshot` */
export function snapshot(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description(
        'Have the server on this machine remember all its data, in memory; prints the name by which restore finds it. The last 100 are kept.',
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
        'Make all data of the server on this machine what it was at a snapshot; what came since is lost.',
      ),
    )
      .argument('<snapshot>', 'the name that orgctl local snapshot printed')
      .option(...yesOption),
    [['orgctl local restore snapshot_1 --yes', 'as often as you like']],
    { calls: 'control', writes: ['server'], asks: 'before, unless --yes' },
  ).action(async (name, { yes, ...flags }) => {
    if (!(await confirmed(`Replace all data by ${name}?`, yes, context))) return;
    await withControl(flags, context, (control) => control.restore(name));
    await context.note(`all data is as it was at ${name}`);
  });
}

/** `orgctl local reset` */
export function reset(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description(
        'Make the server on this machine what it was when it started: data of the first organization alone, or of the seed; clock, faults, rate limit and journal as at the start. All else is lost; snapshots stay.',
      ),
    ).option(...yesOption),
    [['orgctl local reset --yes', 'before each test']],
    { calls: 'control', writes: ['server'], asks: 'before, unless --yes' },
  ).action(async ({ yes, ...flags }) => {
    if (!(await confirmed('Delete all data of the server?', yes, context))) return;
    await withControl(flags, context, (control) => control.reset());
    await context.note('the server is what it was when it started');
  });
}
