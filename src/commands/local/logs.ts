import type { Command } from '@commander-js/extra-typings';
import {
  type JournalQueryText,
  journalQuerySchema,
  journalStreamQuerySchema,
} from '../../api/control/control.js';
import type { JournalEntryAnswer } from '../../api/control/control-answers.js';
import { describeIssues } from '../../api/schema/schema.js';
import type { Context } from '../../cli/context.js';
import { exitCodes } from '../../cli/exit.js';
import { withExamples } from '../../cli/help-text.js';
import { InterruptedError, UsageError } from '../../errors/errors.js';
import { isKeyId } from '../../redaction/harmless.js';
import { unescapeRefusal } from '../../signing/mistakes/visible-escapes.js';
import type { TypedView } from '../../terminal/formats/columns.js';
import { watchReader } from '../../terminal/output/reader-watch.js';
import type { LocalFlags } from '../../verbs/local/find-server.js';
import { followJournal } from '../../verbs/local/follow-journal.js';
import { type ControlContext, withControl, withProxy } from '../../verbs/local/with-control.js';
import { describeRequest } from '../../verbs/refusal-lines.js';
import { whyRefused } from '../../verbs/refusal-text.js';

interface LogsFlags extends LocalFlags {
  readonly follow?: boolean | undefined;
  readonly refused?: boolean | undefined;
  readonly key?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly status?: string | undefined;
  readonly limit?: string | undefined;
  readonly since?: string | undefined;
}

const shownBeforeFollowing = '10';

export function logs(command: Command, context: Context): void {
  withExamples(
    withProxy(
      command.description(
        'Show the last 1,000 requests to the server on this machine, with the reason for each refusal; -v adds the string that a client should have signed. Secrets, passwords and signatures are masked.',
      ),
    )
      .option('-f, --follow', 'follow new requests, even after a restart of the server')
      .option('--refused', 'only refused requests')
      .option('--key <id>', 'only requests with the key of this ID')
      .option('--method <method>', 'only requests with this method')
      .option('--path <path>', 'only requests for this path; * stands for any characters')
      .option('--status <status>', 'only responses with this status, such as 404 or 4xx')
      .option(
        '--since <duration|time>',
        `only requests since this time or this long ago by the server's clock, such as 2026-01-31T12:00:00Z or 10m`,
      )
      .option('-n, --limit <n>', 'how many of the newest requests to show; default all, or 10 with --follow'),
    [
      ['orgctl local logs --refused -n 1', 'why was the last one refused?'],
      ['orgctl local logs --since 10m --status 5xx', 'what failed just now?'],
      ["orgctl local logs --follow --path '/connections*'", 'as the server answers them'],
      ['orgctl local logs --proxy --refused', 'what the real service refused, through orgctl proxy'],
      ["orgctl local logs --method POST -o json --query 'length(@)'", 'how many POSTs were there?'],
    ],
    { calls: 'control' },
  ).action((flags) => showLogs(flags, context));
}

async function showLogs(
  flags: LogsFlags,
  context: ControlContext & Pick<Context, 'printer' | 'note' | 'exitWith' | 'streams' | 'flags' | 'settings'>,
): Promise<void> {
  const query = toJournalQuery(flags);
  const printer = await context.printer();
  const layout = {
    isVerbose: context.flags().verbose === true,
    isOneLine: !context.streams.stdout.isTerminal,
  };
  const { limit: _limit, ...filters } = query;
  const empty = Object.values(filters).some((value) => value !== undefined)
    ? 'no matching requests'
    : 'no requests';
  const view = { ...journalView, empty, line: (entry: JournalEntryAnswer) => describeRequest(entry, layout) };
  printer.check(view, 'list');
  const { value: format } = await context.settings().output();
  const isText = format === 'table' || format === 'wide';
  if (!flags.follow) {
    const entries = await withControl(flags, context, (control) => control.journal.get(query));
    return printer.list(isText ? entries : entries.map(unescapeEntry), view);
  }
  const end = watchReader(context.system, context.streams);
  try {
    const batches = followJournal(query, flags, context);
    await printer.follow<JournalEntryAnswer>(isText ? batches : unescapeEntries(batches), view);
  } catch (error) {
    // The normal end of following; the exit code names the signal.
    if (!(error instanceof InterruptedError)) throw error;
    context.exitWith(exitCodes[error.code]);
  } finally {
    end();
  }
}

async function* unescapeEntries(
  batches: AsyncIterable<readonly JournalEntryAnswer[]>,
): AsyncGenerator<readonly JournalEntryAnswer[]> {
  for await (const batch of batches) yield batch.map(unescapeEntry);
}

function unescapeEntry(entry: JournalEntryAnswer): JournalEntryAnswer {
  return entry.refusal === undefined ? entry : { ...entry, refusal: unescapeRefusal(entry.refusal) };
}

function toJournalQuery({
  follow,
  refused,
  key,
  method,
  path,
  status,
  since,
  limit,
}: LogsFlags): JournalQueryText {
  if (key !== undefined && !isKeyId(key)) {
    throw new UsageError(`--key ${JSON.stringify(key)}: not a key ID`, {
      hint: 'list the IDs',
      next: ['orgctl', 'local', 'keys', 'list'],
    });
  }
  const query: JournalQueryText = {
    key,
    method,
    path,
    status,
    since,
    ...(refused && { refused: 'true' }),
    limit: limit ?? (follow ? shownBeforeFollowing : undefined),
  };
  const { error } = (follow ? journalStreamQuerySchema : journalQuerySchema).safeParse(query);
  if (error === undefined) return query;
  const wrong = Object.entries(query).find(([name]) => name === error.issues[0]?.path[0]);
  const value = wrong === undefined ? '' : ` (got ${JSON.stringify(wrong[1])})`;
  throw new UsageError(`--${describeIssues(error)}${value}`, {
    hint: 'examples',
    next: ['orgctl', 'local', 'logs', '--help'],
  });
}

/** Columns for csv, `-o wide` and `--columns`; a plain table prints a text for each request instead. */
const journalView: TypedView<JournalEntryAnswer> = {
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
};
