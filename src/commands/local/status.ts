import type { Command } from '@commander-js/extra-typings';
import type { StatusAnswer } from '../../api/control/control-answers.js';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import type { ControlClient } from '../../client/control-client.js';
import type { TypedView, View } from '../../terminal/output/printer.js';
import { countNoun } from '../../text/count-noun.js';
import { describeOffset } from '../../verbs/local/clock-view.js';
import type { LocalFlags } from '../../verbs/local/find-server.js';
import { adviseChoosing, findSharedServers } from '../../verbs/local/server-files.js';
import { type ControlContext, withControl, withProxy } from '../../verbs/local/with-control.js';

export function status(command: Command, context: Context): void {
  withExamples(
    withProxy(
      command.description(
        'Show the server that runs on this machine: address, process, data, clock, faults, and the number of requests since its start. Exit 3 if none is running.',
      ),
    ),
    [
      ['orgctl local status', 'is it running, and with what settings?'],
      ['orgctl local status --query requests.total', 'how many requests were there so far?'],
    ],
    { calls: 'control' },
  ).action((flags) => showStatus(flags, context));
}

async function showStatus(
  flags: LocalFlags,
  context: ControlContext & Pick<Context, 'printer' | 'note'>,
): Promise<void> {
  const { found, left, key } = await withControl(flags, context, async (control, server) => {
    const found = await control.status();
    return { found, left: server.left, key: await findFirstKey(found, control) };
  });
  await (await context.printer()).one({ ...found, keyId: key.id }, makeView(found, key.text));
  if (left === undefined || left.file.upstream !== undefined) return;
  for (const other of findSharedServers(left.data, context.system.platform)) {
    if (other.control === left.file.control) continue;
    const { url, database = 'a shared database' } = other;
    await context.note(
      `another server uses this directory for its files: ${url}, with its data in ${database}; to control it: ${adviseChoosing(other, flags.data)}`,
    );
  }
}

/** The first enabled key, as `local key` prints it; unknown for the service behind a proxy. */
async function findFirstKey(
  { keyId, organization, upstream }: StatusAnswer,
  { keys }: ControlClient,
): Promise<{ readonly id: string; readonly text: string }> {
  if (upstream !== undefined) return { id: keyId, text: '' };
  const own = await keys.list(organization);
  const first = own.find(({ id }) => id === keyId);
  const usable = first?.enabled ? first : own.find(({ enabled }) => enabled);
  if (usable !== undefined) return { id: usable.id, text: usable.id };
  return { id: keyId, text: `none enabled (${keyId} is ${first === undefined ? 'deleted' : 'disabled'})` };
}

function makeView(found: StatusAnswer, firstKey: string): View<StatusAnswer> {
  const hasConsole = found.console !== undefined;
  const columns = listColumns(firstKey);
  return {
    columns: [
      ...(found.upstream === undefined ? columns : columns.filter(({ header }) => !ofServers.has(header))),
      ...(found.upstream === undefined ? [] : [{ header: 'SERVICE', value: 'upstream' }]),
      ...(found.dialect === undefined ? [] : [{ header: 'DIALECT', value: 'dialect' }]),
      ...(hasConsole ? [{ header: 'CONSOLE', value: 'console' }] : []),
    ],
    block: true,
  };
}

/** Columns that are unknown for the service behind a proxy. */
const ofServers = new Set(['DATA', 'ORGANIZATION', 'FIRST KEY', 'CLOCK', 'STUBS', 'RATE LIMIT']);

const listColumns = (firstKey: string): TypedView<StatusAnswer>['columns'] => [
  { header: 'ADDRESS', value: 'url' },
  { header: 'PID', value: 'pid' },
  { header: 'STARTED', value: 'startedAt' },
  { header: 'DATA', value: ({ data, database }) => database ?? data ?? 'in memory' },
  { header: 'ORGANIZATION', value: 'organization' },
  { header: 'FIRST KEY', value: () => firstKey },
  { header: 'CLOCK', value: ({ clock: { time, offset } }) => `${time} (offset: ${describeOffset(offset)})` },
  {
    header: 'FAULTS',
    value: ({ faults }) =>
      faults.map(({ rule, hits }) => `${rule} (${countHits(hits)})`).join('; ') || 'none',
  },
  {
    header: 'STUBS',
    value: ({ stubs = [] }) =>
      stubs.map(({ request, status, hits }) => `${request}=${status} (${countHits(hits)})`).join('; ') ||
      'none',
  },
  {
    header: 'REQUESTS',
    value: ({ requests }) => `${requests.total}, ${requests.refused} refused`,
  },
];

function countHits(hits: number): string {
  return countNoun(hits, 'hit');
}
