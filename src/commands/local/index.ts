import type { StatusAnswer } from '../../api/control/control-answers.js';
import { argument, group, verb } from '../../cli/command.js';
import { refuseOptionsBefore } from '../../cli/command-words.js';
import { NetworkError } from '../../errors/errors.js';
import type { View } from '../../terminal/output/printer.js';
import { isRunning, ownProcessId } from '../../terminal/process/system.js';
import { countNoun } from '../../text/count-noun.js';
import { showAge } from '../../text/duration.js';
import { quoteIfNeeded } from '../../text/shell-quote.js';
import { dataOption } from '../serve/options.js';
import { keys } from './keys.js';
import { logs } from './logs.js';
import { proxyOption, serverVerb, showList, untilDone, withServer } from './server-verb.js';
import { clock, describeOffset, faults, quotas, rateLimit, stubs } from './test-controls.js';

const status = serverVerb('status', {
  summary: 'show address, data, clock, faults and requests so far; fail if no server is running',
  options: [proxyOption],
  examples: [['orgctl local status', 'is it running, and with what settings?']],
  reads: true,
  async run({ control, context }) {
    const found = await control.call('status.get');
    await (await context.printer()).one(found, statusView(found));
  },
});

/** A proxy does not know the data, clock and stubs of the service behind it. */
function statusView({ upstream }: StatusAnswer): View<StatusAnswer> {
  return {
    columns: [
      { header: 'ADDRESS', value: 'url' },
      { header: 'PID', value: 'pid' },
      { header: 'STARTED', value: 'startedAt' },
      { header: 'CONSOLE', value: 'console' },
      { header: 'REQUESTS', value: ({ requests }) => `${requests.total}, ${requests.refused} refused` },
      { header: 'FAULTS', value: ({ faults }) => listHits(faults.map((each) => [each.rule, each.hits])) },
      ...(upstream === undefined ? serverColumns : [{ header: 'SERVICE', value: 'upstream' } as const]),
    ],
    block: true,
  };
}

const serverColumns: View<StatusAnswer>['columns'] = [
  {
    header: 'STUBS',
    value: ({ stubs = [] }) => listHits(stubs.map((each) => [`${each.request}=${each.status}`, each.hits])),
  },
  { header: 'DATA', value: ({ data, database }) => database ?? data ?? 'in memory' },
  { header: 'DIALECT', value: ({ dialect = 'reference' }) => dialect },
  { header: 'ORGANIZATION', value: 'organization' },
  { header: 'FIRST KEY', value: 'keyId' },
  { header: 'CLOCK', value: ({ clock: { time, offset } }) => `${time} (offset: ${describeOffset(offset)})` },
];

function listHits(rules: readonly (readonly [rule: string, hits: number])[]): string {
  return rules.map(([rule, hits]) => `${rule} (${countNoun(hits, 'hit')})`).join('; ') || 'none';
}

const managementConsole = serverVerb('console', {
  summary: 'print a link to the management console, which works once, within a minute',
  options: [proxyOption],
  examples: [['orgctl local console', 'issue, disable and enable keys, and watch requests']],
  async run({ control, context }) {
    const link = await control.call('console.link');
    await (await context.textPrinter()).prose(link, `${link.console}\n`);
  },
});

const key = serverVerb('key', {
  summary: 'print address, first key and its secret, for a .env file',
  examples: [['orgctl local key --yes > .env', 'for a client that reads a .env file']],
  reads: true,
  asks: true,
  async run({ control, context, name, confirm }) {
    await confirm(`Print the secret of the first enabled key of ${name}?`);
    const { url, caFile } = await control.call('status.get');
    const { keyId, secret } = await control.call('keys.first');
    const variables = {
      ORGCTL_BASE_URL: url,
      ORGCTL_KEY_ID: keyId,
      ORGCTL_SECRET: secret,
      ...(caFile !== undefined && { ORGCTL_CA_FILE: caFile }),
    };
    const lines = Object.entries(variables).map(([name, value]) => `${name}=${quoteIfNeeded(value)}\n`);
    await (await context.textPrinter()).prose(variables, lines.join(''));
  },
});

const wait = verb('wait', {
  summary: 'wait until the server answers, and print its address; fail after --deadline (default 2m)',
  options: [dataOption],
  examples: [['URL=$(orgctl local wait --deadline 10s)', 'wait ten seconds at most']],
  calls: 'control',
  async run(context, _args, flags) {
    const { url } = await untilDone(context, () =>
      withServer(flags, context, (control) => control.call('status.get')),
    );
    await (await context.textPrinter()).prose(url, `${url}\n`);
  },
});

const stop = serverVerb('stop', {
  summary: 'stop the server, and wait until it has stopped',
  examples: [['orgctl local stop && orgctl serve check', 'for commands that need the server to be stopped']],
  async run({ control, context, address }) {
    const { pid } = await control.call('status.get');
    await control.call('server.stop');
    await untilDone(context, async () => {
      const answers = await control.call('status.get').then(
        () => true,
        () => false,
      );
      if (answers || (pid !== ownProcessId() && isRunning(pid)))
        throw new NetworkError('the server has not stopped yet', { hint: 'it is finishing open requests' });
    });
    await context.note(`the server at ${address.origin} stopped`);
  },
});

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

const snapshot = serverVerb('snapshot', {
  summary: 'take or list snapshots of all data',
  description:
    'Take a snapshot of all data, in memory, and print its name for orgctl local restore. The server keeps the last 20 snapshots.',
  examples: [['BEFORE=$(orgctl local snapshot)', 'for orgctl local restore "$BEFORE"']],
  verbs: [listSnapshots],
  parser: (command) => command.usage('[options] [command]'),
  async run({ control, context }) {
    const { snapshot: name } = await control.call('data.snapshot');
    await (await context.textPrinter()).prose(name, `${name}\n`);
  },
});

const restore = serverVerb('restore', {
  summary: 'restore all data from a snapshot; later changes are lost',
  args: [argument('<snapshot>', 'the name that orgctl local snapshot printed')],
  examples: [['orgctl local restore "$BEFORE" --yes', 'in a script, after BEFORE=$(orgctl local snapshot)']],
  asks: true,
  async run({ control, context, name: server, confirm }, [name]) {
    await confirm(`Replace all data of ${server} with ${name}?`);
    await control.call('data.restore', { snapshot: name });
    await context.note(`restored ${name}`);
  },
});

const reset = serverVerb('reset', {
  summary: 'reset the server to its initial state',
  description:
    'Reset the data to the first organization or the seed, and clock, faults, stubs and rate limit to what the options of serve set. Also clears the journal, but keeps snapshots.',
  examples: [['orgctl local reset --yes', 'before each test']],
  asks: true,
  async run({ control, context, name, confirm }) {
    await confirm(`Reset ${name} to its initial state? All data except snapshots will be lost.`);
    await control.call('data.reset');
    await context.note('the server is back in its initial state');
  },
});

export const local = group({
  description:
    'Show and control the server on this machine. orgctl finds it by its data directory, or by ORGCTL_CONTROL_URL and ORGCTL_CONTROL_TOKEN: url and controlToken of its ready line.',
  examples: [['orgctl local logs --refused', 'what was refused, and why']],
  verbs: [
    ...[status, managementConsole, logs, keys, key, clock, faults, stubs],
    ...[rateLimit, quotas, snapshot, restore, reset, wait, stop],
  ],
});
