import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import {
  type JournalQueryText,
  journalQuerySchema,
  journalStreamQuerySchema,
} from '../../contract/control.js';
import type { JournalEntryAnswer } from '../../contract/control-answers.js';
import { describeIssues } from '../../contract/schema.js';
import { advise, InterruptedError, UsageError } from '../../errors.js';
import { exitCodes } from '../../exit.js';
import { watchReader } from '../../terminal/reader-watch.js';
import { withExamples } from '../help-text.js';
import type { LocalFlags } from './find-server.js';
import { followJournal } from './follow-journal.js';
import { journalView } from './journal-view.js';
import { type ControlContext, withControl, withData } from './with-control.js';

interface LogsFlags extends LocalFlags {
  readonly follow?: boolean | undefined;
  readonly refused?: boolean | undefined;
  readonly key?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly status?: string | undefined;
  readonly limit?: string | undefined;
}

/** Of the requests before, as `tail -f` has it. */
const shownBeforeFollowing = '10';

/** `orgctl local logs` */
export function logs(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description(
        'Show the requests that the server on this machine has answered, of the last 1,000, and why each refused one was refused. Secrets, passwords and signatures are masked.',
      ),
    )
      .option('-f, --follow', 'go on with each further one; a server that is started again is followed on')
      .option('--refused', 'only those that were refused')
      .option('--key <id>', 'only those of this key')
      .option('--method <method>', 'only those of this method')
      .option('--path <path>', 'only those of this path; * stands for any characters')
      .option('--status <status>', 'only those of this status, such as 404 or 4xx')
      .option('--limit <n>', 'the newest so many; default all, with --follow 10'),
    [
      ['orgctl local logs --refused --limit 1', 'why was the last one refused?'],
      ["orgctl local logs --follow --path '/connections*'", 'as they are answered'],
      ["orgctl local logs --method POST -o json --query 'length(@)'", 'how many POSTs were there?'],
    ],
    { calls: 'control' },
  ).action((flags) => showLogs(flags, context));
}

async function showLogs(
  flags: LogsFlags,
  context: ControlContext & Pick<Context, 'printer' | 'note' | 'exitWith' | 'streams'>,
): Promise<void> {
  const query = queryOf(flags);
  const printer = await context.printer();
  printer.check(journalView, 'list');
  if (!flags.follow) {
    const entries = await withControl(flags, context, (control) => control.journal.get(query));
    return printer.list(entries, journalView);
  }
  const end = watchReader(context.system, context.streams);
  try {
    await printer.follow<JournalEntryAnswer>(followJournal(query, flags, context), journalView);
  } catch (error) {
    // That is how following ends; the exit code names the signal.
    if (!(error instanceof InterruptedError)) throw error;
    context.exitWith(exitCodes[error.code]);
  } finally {
    end();
  }
}

/** @throws UsageError for a value that no request can have */
function queryOf({ follow, refused, key, method, path, status, limit }: LogsFlags): JournalQueryText {
  const query: JournalQueryText = {
    key,
    method,
    path,
    status,
    ...(refused && { refused: 'true' }),
    limit: limit ?? (follow ? shownBeforeFollowing : undefined),
  };
  const { error } = (follow ? journalStreamQuerySchema : journalQuerySchema).safeParse(query);
  if (error === undefined) return query;
  throw new UsageError(
    `--${describeIssues(error)}`,
    advise(['orgctl', 'local', 'logs', '--help'], (command) => `${command} shows examples`),
  );
}
