import { argument } from '../../cli/command.js';
import { refuseOptionsBefore } from '../../cli/command-words.js';
import type { View } from '../../terminal/output/printer.js';
import { showAge } from '../../text/duration.js';
import { serverVerb, showList } from './server-verb.js';

const snapshotView: View<{ readonly snapshot: string; readonly time: string }> = {
  columns: [
    { header: 'SNAPSHOT', value: 'snapshot', id: true },
    { header: 'TAKEN', value: 'time', drawn: showAge },
  ],
  empty: 'no snapshots',
};

const listSnapshots = serverVerb('list', {
  summary: 'list the snapshots, oldest first',
  examples: [["orgctl local snapshot list --query '[-1].snapshot' -r", 'only the newest, for a script']],
  parser: refuseOptionsBefore,
  reads: true,
  shows: showList(snapshotView),
  run: async ({ control }) => (await control.call('data.snapshots')).snapshots,
});

export const snapshot = serverVerb('snapshot', {
  summary: 'take or list snapshots of all data',
  description:
    'Take a snapshot of all data of the server on this machine, in memory, and print its name for orgctl local restore. The server keeps the last 20 snapshots.',
  examples: [['BEFORE=$(orgctl local snapshot)', 'then: orgctl local restore $BEFORE']],
  verbs: [listSnapshots],
  parser: (command) => command.usage('[options] [command]'),
  async run({ control, context }) {
    const { snapshot: name } = await control.call('data.snapshot');
    await (await context.textPrinter()).prose(name, `${name}\n`);
  },
});

export const restore = serverVerb('restore', {
  summary: 'restore a snapshot of all data',
  description: 'Restore all data of the server on this machine from a snapshot; later changes are lost.',
  args: [argument('<snapshot>', 'the name that orgctl local snapshot printed')],
  examples: [['orgctl local restore "$BEFORE" --yes', 'in a script, after BEFORE=$(orgctl local snapshot)']],
  asks: true,
  async run({ control, context, name: server, confirm }, [name]) {
    await confirm(`Replace all data of ${server} with ${name}?`);
    await control.call('data.restore', { snapshot: name });
    await context.note(`restored ${name}`);
  },
});

export const reset = serverVerb('reset', {
  summary: 'reset the server to its initial state',
  description:
    'Reset the server on this machine: its data to the first organization or the seed, and its clock, faults, stubs and rate limit to what the options of serve set. It also clears the journal, but keeps snapshots.',
  examples: [['orgctl local reset --yes', 'before each test']],
  asks: true,
  async run({ control, context, name, confirm }) {
    await confirm(`Reset ${name} to its initial state? All data except snapshots will be lost.`);
    await control.call('data.reset');
    await context.note('the server is back in its initial state');
  },
});
