import { quotaKinds } from '../../api/resources/index.js';
import { command, option } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { readQuotaAnswer } from '../../client/quota-record.js';
import { UsageError } from '../../errors/errors.js';
import { assertBelow, assertComplete, type QuotaReading, readingOf } from './reading.js';
import { isQuota, quotaView, type ShownRow } from './rows.js';

/** A reached threshold takes precedence over an unreadable profile. */
export const quotas = command({
  description:
    'Show limit, usage and remaining quota of each kind, fullest first. A limit of 0 counts as full, a negative one as unlimited.',
  options: [
    option('--kind <kind>', `only one kind: ${quotaKinds.join(', ')}, or another kind that the service has`),
    option('--fail-over <percent>', 'exit 13 if any shown kind has reached this percentage'),
    option('--watch [interval]', 'read repeatedly, by default every 5s; a pipe gets only changed rows'),
    option('--all-profiles', 'query every stored profile; exit 12 if some cannot be read, unless 13 applies'),
  ],
  examples: [
    ['orgctl quotas', 'a table, fullest kind first'],
    ['orgctl quotas --kind connections --fail-over 90', 'fail the job before the quota is used up'],
  ],
  calls: 'service',
  exits: ['threshold', 'partial'],
  async run(context, _args, { kind, failOver, watch, allProfiles = false }) {
    const threshold = parseThreshold(failOver);
    const watching = watch === undefined ? undefined : await import('./watch.js');
    const interval = watching?.parseInterval(watch);
    const printer = await context.printer();
    const columns = { time: interval !== undefined, profile: allProfiles, error: allProfiles };
    printer.check(quotaView<ShownRow>(columns));
    const read = await openReader(kind, allProfiles, context);
    if (watching !== undefined && interval !== undefined)
      return watching.watchQuotas({ read, interval, threshold, areProfiles: allProfiles }, context);
    const { value, rows, unread } = await read();
    const error = rows.some((row) => !isQuota(row));
    const view = quotaView<ShownRow>({ profile: allProfiles, error }, unread === undefined);
    await printer.value(value, rows, view);
    assertBelow(threshold, rows);
    if (unread !== undefined) throw unread;
    assertComplete(rows);
  },
});

async function openReader(
  kind: string | undefined,
  allProfiles: boolean,
  context: Context,
): Promise<() => Promise<QuotaReading>> {
  if (allProfiles) {
    const { readAllProfiles } = await import('./all-profiles.js');
    return () => readAllProfiles(kind, context);
  }
  const transport = await context.transport();
  return async () => readingOf(await readQuotaAnswer(transport), kind);
}

function parseThreshold(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}(\.\d{1,9})?%?$/.test(text)) return Number.parseFloat(text);
  throw new UsageError(`--fail-over ${text}: not a percentage`, { hint: 'for example --fail-over 90' });
}
