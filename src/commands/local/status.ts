import type { StatusAnswer } from '../../api/control/control-answers.js';
import type { View } from '../../terminal/output/printer.js';
import { countNoun } from '../../text/count-noun.js';
import { describeOffset } from './clock.js';
import { proxyOption, serverVerb } from './server-verb.js';

export const status = serverVerb('status', {
  summary: 'show address, data, clock, faults and requests so far',
  description:
    'Show the server that runs on this machine: address, process, data, clock, faults, and the number of requests since its start. Exit 3 if none is running.',
  options: [proxyOption],
  examples: [
    ['orgctl local status', 'is it running, and with what settings?'],
    ['orgctl local status --query requests.total', 'how many requests were there so far?'],
  ],
  reads: true,
  async run({ control, context }) {
    const found = await control.status();
    await (await context.printer()).one(found, statusView(found));
  },
});

/** Omits what is unknown of the service behind a proxy, and what the server does not have. */
function statusView({ upstream, dialect, console: page }: StatusAnswer): View<StatusAnswer> {
  const ofServer = upstream === undefined;
  return {
    columns: [
      { header: 'ADDRESS', value: 'url' },
      { header: 'PID', value: 'pid' },
      { header: 'STARTED', value: 'startedAt' },
      ...(ofServer ? serverColumns : []),
      { header: 'FAULTS', value: ({ faults }) => listHits(faults.map((each) => [each.rule, each.hits])) },
      ...(ofServer ? [stubsColumn] : []),
      { header: 'REQUESTS', value: ({ requests }) => `${requests.total}, ${requests.refused} refused` },
      ...(ofServer ? [] : [{ header: 'SERVICE', value: 'upstream' }]),
      ...(dialect === undefined ? [] : [{ header: 'DIALECT', value: 'dialect' }]),
      ...(page === undefined ? [] : [{ header: 'CONSOLE', value: 'console' }]),
    ],
    block: true,
  };
}

const serverColumns: View<StatusAnswer>['columns'] = [
  { header: 'DATA', value: ({ data, database }) => database ?? data ?? 'in memory' },
  { header: 'ORGANIZATION', value: 'organization' },
  { header: 'FIRST KEY', value: 'keyId' },
  { header: 'CLOCK', value: ({ clock: { time, offset } }) => `${time} (offset: ${describeOffset(offset)})` },
];

const stubsColumn: View<StatusAnswer>['columns'][number] = {
  header: 'STUBS',
  value: ({ stubs = [] }) => listHits(stubs.map((each) => [`${each.request}=${each.status}`, each.hits])),
};

function listHits(rules: readonly (readonly [rule: string, hits: number])[]): string {
  return rules.map(([rule, hits]) => `${rule} (${countNoun(hits, 'hit')})`).join('; ') || 'none';
}
