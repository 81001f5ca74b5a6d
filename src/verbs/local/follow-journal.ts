import { setTimeout as wait } from 'node:timers/promises';
import type { JournalQueryText } from '../../api/control/control.js';
import type { JournalEntryAnswer } from '../../api/control/control-answers.js';
import type { Context } from '../../cli/context.js';
import type { JournalNews } from '../../client/control-client.js';
import { ConfigError, InterruptedError, NetworkError, ServiceError } from '../../errors/errors.js';
import { type FoundServer, findServer, type LocalFlags } from './find-server.js';
import { type ControlContext, connectControl, explainAbsence } from './with-control.js';

type FollowContext = ControlContext & Pick<Context, 'note'>;

/** Milliseconds between attempts to find a restarted server. */
const lookEvery = 250;

/** Follows the journal across restarts until stdout is closed. @throws InterruptedError; ConfigError without a server */
export async function* followJournal(
  query: JournalQueryText,
  flags: LocalFlags,
  context: FollowContext,
): AsyncGenerator<readonly JournalEntryAnswer[]> {
  const following = new FollowedServer(query, context);
  let server = findServer(flags, context);
  try {
    for (;;) {
      yield* following.read(server);
      server = await nextServer(flags, context);
    }
  } catch (error) {
    if (!context.signal.aborted) throw error;
    if (context.signal.reason instanceof InterruptedError) throw context.signal.reason;
  }
}

async function nextServer(flags: LocalFlags, context: FollowContext): Promise<FoundServer> {
  for (;;) {
    await wait(lookEvery, undefined, { signal: context.signal });
    try {
      return findServer(flags, context);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
    }
  }
}

/** Remembers the last entry read, so that reading continues there after a restart. */
class FollowedServer {
  readonly #query: JournalQueryText;
  readonly #context: FollowContext;
  #lastId: string | undefined;
  #isWaiting = false;

  constructor(query: JournalQueryText, context: FollowContext) {
    this.#query = query;
    this.#context = context;
  }

  /** Reads until the server stops or is unreachable. @throws other errors */
  async *read(server: FoundServer): AsyncGenerator<readonly JournalEntryAnswer[]> {
    const control = await connectControl(server, this.#context);
    try {
      for await (const news of control.journal.follow(this.#query, this.#lastId)) {
        await this.#tell(news);
        if (news.entries.length > 0) yield news.entries;
      }
    } catch (error) {
      if (this.#context.signal.aborted || !this.#isPassing(error, server))
        throw explainAbsence(error, server);
    } finally {
      await control.close();
    }
    if (!this.#isWaiting) await this.#context.note('the server has stopped; waiting for it to start again');
    this.#isWaiting = true;
  }

  async #tell({ lastId, missed }: JournalNews): Promise<void> {
    const { note } = this.#context;
    if (this.#isWaiting && lastId !== undefined) {
      const isOther = readJournalId(lastId) !== readJournalId(this.#lastId);
      const lost = isOther ? '; requests that it answered while stopping may be missing' : '';
      await note(`the server is running again${lost}`);
      this.#isWaiting = false;
    }
    this.#lastId = lastId ?? this.#lastId;
    if (missed > 0) await note(`requests not shown: ${missed}; the journal keeps the last 1,000`);
  }

  /** Whether the error only means that the server has stopped, or is still starting. */
  #isPassing(error: unknown, { left }: FoundServer): boolean {
    if (this.#lastId === undefined) return false;
    const isOther = error instanceof ServiceError && error.details.status === 401;
    return error instanceof NetworkError || (isOther && left !== undefined);
  }
}

function readJournalId(id: string | undefined): string | undefined {
  return id?.split('-', 1)[0];
}
