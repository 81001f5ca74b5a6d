import type { Command } from '@commander-js/extra-typings';
import { quotaKinds } from '../api/resources/index.js';
import type { Context } from '../cli/context.js';
import { withExamples } from '../cli/help-text.js';
import { allProfiles } from '../verbs/quotas/all-profiles.js';
import type { WatchContext } from '../verbs/quotas/moments.js';
import {
  assertBelow,
  assertComplete,
  assertReadable,
  oneService,
  parseThreshold,
} from '../verbs/quotas/reading.js';
import { quotaView, type ShownRow } from '../verbs/quotas/view.js';
import { flagsOfWatch, parseInterval, watchQuotas } from '../verbs/quotas/watch.js';

interface QuotasOptions {
  readonly kind?: string | undefined;
  readonly failOver?: string | undefined;
  /** `true` for the default interval. */
  readonly watch?: string | true | undefined;
  readonly allProfiles?: boolean | undefined;
}

export function quotas(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        'Show limit, usage and remaining quota of each kind, fullest first. A limit of 0 counts as full, a negative one as unlimited.',
      )
      .option(
        '--kind <kind>',
        `only one kind: ${quotaKinds.join(', ')}, or another kind that the service has`,
      )
      .option('--fail-over <percent>', 'exit 13 if any shown kind has reached this percentage')
      .option(
        '--watch [interval]',
        'read repeatedly, by default every 5s; in a pipe, print only new or changed rows',
      )
      .option('--all-profiles', 'query every stored profile; exit 12 when some cannot be read'),
    [
      ['orgctl quotas', 'a table, fullest kind first'],
      ['orgctl quotas --kind connections --fail-over 90', 'fail the job before the quota is used up'],
      ['orgctl quotas --watch 30s -o jsonl', 'a JSON line for each change, until Ctrl-C'],
      ['orgctl quotas --all-profiles', 'the services of all profiles'],
      ["orgctl quotas -o json --query 'connections.remaining'", 'one figure for a script'],
    ],
    { calls: 'service', exits: ['threshold', 'partial'] },
  ).action((options) => showQuotas(options, context));
}

/** A reached threshold takes precedence over an unreadable profile. @throws ResultError, after printing the data */
async function showQuotas(
  { kind, failOver, watch, allProfiles: all }: QuotasOptions,
  context: WatchContext & Pick<Context, 'api' | 'apiFor' | 'profiles'>,
): Promise<void> {
  const threshold = parseThreshold(failOver);
  const interval = parseInterval(watch);
  const printer = await context.printer();
  printer.check(quotaView<ShownRow>({ time: interval !== undefined, profile: all, error: all }), 'list');
  const flags = interval === undefined ? undefined : flagsOfWatch(context.flags());
  const source = all
    ? allProfiles(kind, flags ?? context.flags(), context)
    : await oneService(kind, flags, context);
  if (interval !== undefined) return watchQuotas({ source, interval, threshold }, context);
  const reading = await source.read();
  await printer.value(
    reading.value,
    reading.rows,
    quotaView<ShownRow>(reading.columns, reading.unread === undefined),
  );
  assertBelow(threshold, reading);
  assertReadable(reading, threshold !== undefined || kind !== undefined);
  if (reading.unread !== undefined) await printer.warn(reading.unread.message);
  assertComplete(reading);
}
