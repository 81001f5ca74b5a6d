import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { DeclinedError, InterruptedError, toInterruption, UsageError } from '../../errors/errors.js';
import { canAsk, type Streams } from '../output/streams.js';
import type { System } from '../process/system.js';
import { sanitize } from '../text/sanitize.js';

interface PromptOptions {
  /** The hint if there is no terminal, such as `use --password-stdin`. */
  readonly hint: string;
  /** Throws a UsageError to show before the question is repeated. */
  readonly check?: ((answer: string) => void) | undefined;
  /** The error after a no or at the end of input, such as `nothing was deleted`. */
  readonly declined?: string | undefined;
}

interface PromptContext {
  readonly system: System;
  readonly streams: Streams;
  readonly signal?: AbortSignal | undefined;
}

const hiddenSuffix = ' [hidden] ';
const yesOrNo = ' [y/N] ';

/**
 * Asks on the terminal, and restores it after each question. Opens no stream before the first. Every question throws
 * UsageError without a terminal, DeclinedError at the end of input (Ctrl-D), and InterruptedError after Ctrl-C.
 */
export class Prompt {
  readonly #context: PromptContext;

  constructor(context: PromptContext) {
    this.#context = context;
  }

  /** Never shows what is typed. */
  hidden(message: string, options: PromptOptions): Promise<string> {
    return this.#ask(message, hiddenSuffix, options);
  }

  line(message: string, options: PromptOptions): Promise<string> {
    return this.#ask(message, ' ', options);
  }

  /** @throws DeclinedError for any answer except `y` and `yes`; the command then ends as after Ctrl-C */
  async confirm(message: string, options: PromptOptions & { readonly declined: string }): Promise<void> {
    const answer = await this.#ask(message, yesOrNo, options);
    if (!/^y(es)?$/i.test(answer.trim())) throw new DeclinedError(options.declined);
  }

  async #ask(message: string, suffix: string, { hint, check, declined }: PromptOptions): Promise<string> {
    const question = sanitize(message);
    if (!canAsk(this.#context)) {
      const needs = suffix === yesOrNo ? 'confirmation' : 'input';
      const what = `${needs} needed, but there is no terminal: ${question.replace(/:$/, '')}`;
      throw new UsageError(what, { hint });
    }
    for (;;) {
      const asked = { text: `${question}${suffix}`, isHidden: suffix === hiddenSuffix };
      const noAnswer = declined ?? `no answer to "${question}"`;
      const answer = await askOnce(this.#context, asked, noAnswer);
      try {
        check?.(answer);
        return answer;
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        await this.#context.streams.stderr.write(`${sanitize(error.message)}\n`);
      }
    }
  }
}

/** Reads a line in raw mode, where only readline can echo. */
async function askOnce(
  { system: { stdin: input }, streams: { stderr }, signal }: PromptContext,
  { text, isHidden }: { readonly text: string; readonly isHidden: boolean },
  declined: string,
): Promise<string> {
  if (signal?.aborted) throw toInterruption(signal);
  let isMuted = isHidden;
  const echo = new Writable({
    decodeStrings: false,
    write(piece, _encoding, done) {
      if (!isMuted) void stderr.write(piece);
      done();
    },
  });
  const output = Object.assign(echo, { columns: stderr.columns });
  const readline = createInterface({ input, output, terminal: true, historySize: 0 });
  // Not earlier: until raw mode, the terminal itself shows what is typed.
  if (isHidden) void stderr.write(text);
  const answered = new Promise<string>((resolve, reject) => {
    readline.on('SIGINT', () => reject(new InterruptedError('SIGINT')));
    readline.on('close', () => reject(new DeclinedError(declined)));
    signal?.addEventListener('abort', () => reject(toInterruption(signal)), { once: true });
    readline.question(text, (answer) => {
      // At once, because readline still handles text that was pasted after the answer. The text is dropped.
      isMuted = true;
      resolve(answer);
    });
  });
  let hasLine = false;
  try {
    const answer = await answered;
    hasLine = !isHidden;
    return answer;
  } finally {
    isMuted = true;
    readline.close();
    if (!hasLine) await stderr.write('\n');
  }
}
