import { watchReader } from '../../terminal/output/reader-watch.js';
import { formatRounded } from '../../text/duration.js';
import { moments, type Watch, type WatchContext } from './moments.js';
import { assertBelow } from './reading.js';
import { quotaView, type ShownRow } from './view.js';

type TimedRow = ShownRow & { readonly time: string };

/** Prints every row once, and again when it changes; reports failures on stderr. */
export async function watchInLines(watch: Watch, context: WatchContext): Promise<void> {
  const printer = await context.printer();
  const end = watchReader(context.system, context.streams);
  try {
    const view = quotaView<TimedRow>({ ...watch.source.columns, time: true });
    await printer.follow(changes(watch, context), view);
  } finally {
    end();
  }
}

async function* changes(watch: Watch, context: WatchContext): AsyncGenerator<readonly TimedRow[]> {
  const printer = await context.printer();
  const printed = new Map<string, string>();
  let failing: string | undefined;
  for await (const { reading, readAt, failure, pause } of moments(watch, context)) {
    const when = pause > watch.interval ? ` in ${formatRounded(pause)}` : '';
    if (failure !== undefined && failure.message !== failing)
      await printer.warn(`${failure.message}; continuing${when}`);
    if (failure === undefined && failing !== undefined) await context.note('the quotas are readable again');
    failing = failure?.message;
    if (reading === undefined || readAt === undefined || failure !== reading.unread) continue;
    const time = new Date(readAt).toISOString();
    yield reading.rows.filter((row) => isNew(row, printed)).map((row) => ({ time, ...row }));
    assertBelow(watch.threshold, reading);
  }
}

function isNew(row: ShownRow, printed: Map<string, string>): boolean {
  const key = JSON.stringify([row.profile, 'kind' in row ? row.kind : null]);
  const text = JSON.stringify(row);
  if (printed.get(key) === text) return false;
  printed.set(key, text);
  return true;
}
