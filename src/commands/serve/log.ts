import type { Context } from '../../cli/context.js';
import type { ExchangeEntry } from '../../proxy/exchange-log.js';
import type { LogEntry } from '../../server/index.js';
import { unescapeRefusal } from '../../signing/mistakes/visible-escapes.js';
import { paintParts } from '../../terminal/formats/lines.js';
import { LineQueue } from '../../terminal/output/line-queue.js';
import { decideColor, loadChalk } from '../../terminal/text/color.js';
import { sanitize, sanitizeJson } from '../../terminal/text/sanitize.js';
import { countNoun } from '../../text/count-noun.js';
import { describeRequest, showLocalTime } from '../local/refusal-lines.js';

type Entry = LogEntry | ExchangeEntry;

/**
 * Writes requests and notices of a server or proxy to stderr as text or JSON lines; with `--quiet`, only errors. `close`
 * writes as much as stderr accepts without waiting, and drops the rest.
 */
export async function openLog(
  isJson: boolean,
  { system, flags, settings, streams }: Context,
): Promise<{ readonly log: (entry: Entry) => void; readonly close: () => void }> {
  const { quiet = false, verbose: isVerbose = false } = flags();
  const isColored = decideColor(settings().color().value, system.env, streams.stderr);
  const chalk = isColored ? await loadChalk() : undefined;
  const toLine = (entry: Entry): string => {
    if (isJson)
      return sanitizeJson(JSON.stringify(entry.event === 'request' ? unescapeRefusal(entry) : entry));
    if (entry.event !== 'request')
      return sanitize(`${showLocalTime(entry.time)}  ${entry.event}: ${entry.message}`);
    return paintParts(describeRequest({ ...entry, refusal: readRefusal(entry) }, isVerbose), chalk);
  };
  const lines = new LineQueue(system, (dropped) => {
    const message = `${countNoun(dropped, 'log line')} dropped because stderr was not being read`;
    return toLine({ event: 'warning', time: new Date().toISOString(), message });
  });
  return {
    log(entry) {
      if (!quiet || entry.event === 'error') lines.write(toLine(entry));
    },
    close: () => lines.close(),
  };
}

/** A refusal of the service, or why the proxy did not pass its response on. */
function readRefusal(entry: Extract<Entry, { readonly event: 'request' }>) {
  if (entry.check !== undefined || !('outcome' in entry)) return entry;
  const reason = entry.problem ?? (entry.fault && `by the fault rule ${entry.fault}`);
  return reason === undefined ? undefined : { reason };
}
