import type { Context } from '../../cli/context.js';
import type { Log, LogEntry } from '../../server/index.js';
import { unescapeRefusal } from '../../signing/mistakes/visible-escapes.js';
import { paintParts } from '../../terminal/formats/lines.js';
import { LineQueue } from '../../terminal/output/line-queue.js';
import { decideColor, loadChalk } from '../../terminal/text/color.js';
import { sanitize, sanitizeJson } from '../../terminal/text/sanitize.js';
import { countNoun } from '../../text/count-noun.js';
import { describeRequest, showLocalTime } from '../local/refusal-lines.js';

/**
 * Writes refusals and notices to stderr as text, or all requests and notices as JSON lines; with `--quiet`, only errors.
 * `close` writes as much as stderr accepts without waiting, and drops the rest.
 */
export async function openLog(
  isJson: boolean,
  { system, flags, settings, streams }: Context,
): Promise<{ readonly log: Log; readonly close: () => void }> {
  const { quiet = false, verbose: isVerbose = false } = flags();
  const isColored = decideColor(settings().color().value, system.env, streams.stderr);
  const chalk = isColored ? await loadChalk() : undefined;
  const toLine = (entry: LogEntry) => {
    if (isJson)
      return sanitizeJson(JSON.stringify(entry.event === 'request' ? unescapeRefusal(entry) : entry));
    if (entry.event !== 'request')
      return sanitize(`${showLocalTime(entry.time)}  ${entry.event}: ${entry.message}`);
    if (entry.check === undefined) return undefined;
    return paintParts(describeRequest({ ...entry, refusal: entry }, { isVerbose }), chalk);
  };
  const lines = new LineQueue(system, (dropped) => {
    const message = `${countNoun(dropped, 'log line')} dropped because stderr was not being read`;
    return toLine({ event: 'warning', time: new Date().toISOString(), message }) ?? '';
  });
  return {
    log(entry) {
      const line = quiet && entry.event !== 'error' ? undefined : toLine(entry);
      if (line !== undefined) lines.write(line);
    },
    close: () => lines.close(),
  };
}
