import type { Command } from '@commander-js/extra-typings';
import type { clockAnswerSchema } from '../../api/control/control-answers.js';
import type { z } from '../../api/schema/schema.js';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { type LazyCommand, mount } from '../../cli/lazy-command.js';
import type { View } from '../../terminal/output/printer.js';
import { withControl, withData } from '../../verbs/local/with-control.js';

const verbs: readonly LazyCommand[] = [
  { name: 'show', summary: 'show its time, and how far ahead it is', load: async () => show },
  { name: 'set', summary: 'set its time', load: async () => set },
  { name: 'advance', summary: 'move it forward or back', load: async () => advance },
];

/** `orgctl local clock` */
export function clock(command: Command, context: Context): void {
  withExamples(
    command.description(
      'Show, set and advance the clock of the server on this machine. It keeps running from where it is set.',
    ),
    [['orgctl local clock advance 10m', 'are clients refused whose clock is behind?']],
  );
  mount(command, verbs, context);
}

const clockView: View<z.infer<typeof clockAnswerSchema>> = {
  columns: [
    { header: 'TIME', value: 'time' },
    { header: 'OFFSET MS', value: 'offset', align: 'right' },
  ],
};

function show(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description(
        "Show the server's time, and by how many milliseconds it is ahead of this machine's.",
      ),
    ),
    [['orgctl local clock show', 'ahead, or behind?']],
    { calls: 'control' },
  ).action(async (flags) => {
    const state = await withControl(flags, context, (control) => control.clock.get());
    await (await context.printer()).one(state, clockView);
  });
}

function set(command: Command, context: Context): void {
  withExamples(
    withData(command.description("Set the server's time.")).argument(
      '<time>',
      'ISO 8601 with its zone, such as 2030-01-01T00:00:00Z',
    ),
    [['orgctl local clock set 2030-01-01T00:00:00Z', 'another year']],
    { calls: 'control', writes: ['server'] },
  ).action(async (time, flags) => {
    const state = await withControl(flags, context, (control) => control.clock.set(time));
    await (await context.printer()).one(state, clockView);
  });
}

function advance(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description("Move the server's clock forward by a duration, or back if it is negative."),
    ).argument('<duration>', 'such as 10m; a negative one comes after --'),
    [
      ['orgctl local clock advance 10m', 'forward by ten minutes'],
      ['orgctl local clock advance -- -1h', 'back by an hour'],
    ],
    { calls: 'control', writes: ['server'] },
  ).action(async (by, flags) => {
    const state = await withControl(flags, context, (control) => control.clock.advance(by));
    await (await context.printer()).one(state, clockView);
  });
}
