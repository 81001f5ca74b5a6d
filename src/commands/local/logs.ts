import type { JournalQueryText } from '../../api/control/control.js';
import type { JournalEntryAnswer } from '../../api/control/control-answers.js';
import { option } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { endBySignal } from '../../cli/exit.js';
import type { ControlClient } from '../../client/control-client.js';
import { NetworkError, UsageError } from '../../errors/errors.js';
import { isKeyId } from '../../redaction/harmless.js';
import type { View } from '../../terminal/formats/columns.js';
import { watchReader } from '../../terminal/output/reader-watch.js';
import { describeRequest, whyRefused } from '../serve/log.js';
import { proxyOption, serverVerb } from './server-verb.js';

const filters = [
  option('--refused', 'only refused requests'),
  option('--key <id>', 'only requests with the key of this ID'),
  option('--method <method>', 'only requests with this method'),
  option('--path <path>', 'only requests for this path; * stands for any characters'),
  option('--status <status>', 'only responses with this status, such as 404 or 4xx'),
  option('--since <duration|time>', "only requests since this time or duration ago, by the server's clock"),
] as const;

export const logs = serverVerb('logs', {
  summary: 'show recent requests, and why some were refused',
  description:
    'Show the last 1,000 requests to the server on this machine, with the reason for each refusal; -v adds the string that a client should have signed. Secrets, passwords and signatures are masked.',
  options: [
    proxyOption,
    option('-f, --follow', 'also show new requests as they arrive, until the server stops'),
    ...filters,
    option('-n, --limit <n>', 'how many of the newest requests to show; default all, or 10 with --follow'),
  ],
  examples: [
    ['orgctl local logs --refused -n 1', 'why was the last one refused?'],
    ["orgctl local logs --follow --path '/connections*'", 'as the server answers them'],
  ],
  reads: true,
  async run({ control, context }, _args, { follow, refused, limit, key, method, path, status, since }) {
    const query: JournalQueryText = {
      ...{ key, method, path, status, since },
      ...(refused && { refused: 'true' }),
      limit: limit ?? (follow ? '10' : undefined),
    };
    // The value goes into an address, and might be a secret by mistake.
    if (key !== undefined && !isKeyId(key)) throw new UsageError('--key: not a key ID');
    const view = journalView(context);
    const printer = await context.printer();
    printer.check(view);
    if (!follow) {
      const { entries = [] } = await control.call('journal.list', query);
      return printer.list(entries, view);
    }
    const end = watchReader(context.system, context.streams);
    return printer.follow(followJournal(control, query, context), view).finally(end);
  },
});

/** Yields new requests until the server stops, stdout's reader leaves, or a signal comes. None is an error. */
async function* followJournal(
  control: ControlClient,
  query: JournalQueryText,
  context: Context,
): AsyncGenerator<readonly JournalEntryAnswer[]> {
  const { signal, note } = context;
  try {
    for await (const { entries, missed } of control.follow(query)) {
      if (missed > 0) await note(`requests not shown: ${missed}; the journal keeps the last 1,000`);
      if (entries.length > 0) yield entries;
    }
  } catch (error) {
    if (!signal.aborted && !(error instanceof NetworkError)) throw error;
  }
  if (!signal.aborted) await note('the server has stopped');
  endBySignal(context);
}

/** Columns for csv, `-o wide` and `--columns`; a plain table prints a text for each request instead. */
function journalView({ flags }: Context): View<JournalEntryAnswer> {
  const isVerbose = flags().verbose === true;
  return {
    columns: [
      { header: 'ID', value: 'id', align: 'right' },
      { header: 'TIME', value: 'time' },
      { header: 'STATUS', value: 'status' },
      { header: 'METHOD', value: 'method' },
      { header: 'TARGET', value: 'target' },
      { header: 'MS', value: 'milliseconds', align: 'right' },
      { header: 'KEY ID', value: 'keyId' },
      { header: 'CHECK', value: 'refusal.check' },
      { header: 'REASON', value: ({ refusal }) => refusal && whyRefused(refusal) },
    ],
    fields: ['organization', 'fault', 'stub', 'headers', 'bodyBytes', 'body', 'refusal'],
    empty: 'no matching requests',
    line: (entry) => describeRequest(entry, isVerbose),
  };
}
