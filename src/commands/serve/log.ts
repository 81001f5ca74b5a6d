import type { JournalEntryAnswer } from '../../api/control/control-answers.js';
import type { Context } from '../../cli/context.js';
import type { ExchangeEntry } from '../../proxy/exchange-log.js';
import type { LogEntry } from '../../server/index.js';
import type { LinePart } from '../../terminal/formats/columns.js';
import { paintParts } from '../../terminal/formats/format.js';
import { LineQueue } from '../../terminal/output/line-queue.js';
import { decideColor, loadChalk } from '../../terminal/text/color.js';
import { sanitize, sanitizeJson } from '../../terminal/text/sanitize.js';
import { countNoun } from '../../text/count-noun.js';

type Entry = LogEntry | ExchangeEntry;

/** Writes requests and notices of a server or proxy to stderr. `close` drops what stderr does not accept at once. */
export async function openLog(
  isJson: boolean,
  { system, flags, settings, streams }: Context,
): Promise<{ readonly log: (entry: Entry) => void; readonly close: () => void }> {
  const { quiet = false, verbose: isVerbose = false } = flags();
  const isColored = decideColor(settings().color().value, system.env, streams.stderr);
  const chalk = isColored ? await loadChalk() : undefined;
  const toLine = (entry: Entry): string => {
    if (isJson) return sanitizeJson(JSON.stringify(entry));
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

interface Refusal {
  readonly reason?: string | undefined;
  readonly advice?: string | undefined;
  readonly canonical?: string | undefined;
  readonly signed?: string | undefined;
}

interface AnsweredRequest extends Pick<JournalEntryAnswer, 'time' | 'status' | 'method' | 'target'> {
  readonly keyId?: string | undefined;
  readonly milliseconds?: number | undefined;
  readonly stub?: string | undefined;
  readonly refusal?: Refusal | undefined;
}

const indent = `\n${' '.repeat('10:48:02  401  '.length)}`;

/** The request, followed by the reason and advice if it was refused. */
export function describeRequest(request: AnsweredRequest, isVerbose: boolean): readonly LinePart[] {
  const { time, status, method, target, keyId, milliseconds, stub, refusal } = request;
  const outcome =
    refusal === undefined
      ? part(milliseconds === undefined ? undefined : `${milliseconds} ms`, 'dim')
      : describeRefusal(refusal, isVerbose);
  return [
    ...part(showLocalTime(time), 'dim'),
    ...part(String(status ?? 'dropped'), chooseColor(status), '  '),
    ...part(method, 'bold', '  '),
    { text: target },
    ...part(keyId, 'cyan'),
    ...part(stub && `by the stub ${stub}`, 'dim'),
    ...outcome,
  ];
}

function describeRefusal(
  { reason = 'refused', advice, canonical, signed }: Refusal,
  isVerbose: boolean,
): LinePart[] {
  const before = indent;
  const shown = (what: string, text: string | undefined) =>
    isVerbose && text !== undefined ? [{ text: `  ${what} ${text}`, before }] : [];
  return [
    ...part(`✗ ${reason}`, 'red', before),
    ...part(advice && `→ ${advice}`, 'green', before),
    ...shown('expected:', canonical),
    ...shown('signed:  ', signed),
  ];
}

type Color = 'dim' | 'bold' | 'cyan' | 'green' | 'yellow' | 'red';

function part(text: string | undefined, color: Color, before = '   '): LinePart[] {
  return text === undefined ? [] : [{ text, before, style: (shown, chalk) => chalk[color](shown) }];
}

export function whyRefused({ reason = '', advice }: Refusal): string {
  return advice === undefined ? reason : `${reason}: ${advice}`;
}

/** `10:48:02` in this machine's zone. */
function showLocalTime(time: string): string {
  return new Date(time).toTimeString().slice(0, 8);
}

function chooseColor(status: number | null): Color {
  if (status === null || status >= 500) return 'red';
  return status >= 400 ? 'yellow' : 'green';
}
