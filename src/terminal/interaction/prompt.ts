import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { DeclinedError, InterruptedError, toInterruption, UsageError } from '../../errors/errors.js';
import type { Streams } from '../output/streams.js';
import type { System } from '../process/system.js';
import { sanitize } from '../text/sanitize.js';
import { canAsk } from './can-ask.js';

export interface PromptOptions {
  /** The hint if there is no terminal, such as `use --password-stdin`. */
  readonly hint: string;
  /** Throws a UsageError for an unusable answer; the prompt shows it and repeats the question. */
  readonly check?: ((answer: string) => void) | undefined;
}

export interface ConfirmOptions extends PromptOptions {
  /** Message after a no, such as `nothing was deleted`. */
  readonly declined: string;
}

/**
 * Lines that are pasted together answer the questions one after the other. Each question restores the terminal afterwards. It throws UsageError without a terminal, DeclinedError at the end of
 * input (Ctrl-D), and InterruptedError after Ctrl-C.
 */
export interface Prompt {
  hidden(message: string, options: PromptOptions): Promise<string>;
  line(message: string, options: PromptOptions): Promise<string>;
  /** Chooses between two ways to continue: anything except `y` and `yes` is no. */
  choose(message: string, options: PromptOptions): Promise<boolean>;
  /** @throws DeclinedError for any answer except `y` and `yes`; the command then ends as after Ctrl-C */
  confirm(message: string, options: ConfirmOptions): Promise<void>;
}

export interface PromptContext {
  readonly system: Pick<System, 'stdin'>;
  readonly streams: Streams;
  /** When aborted, the question throws the signal's reason if that is an OrgctlError, or else an InterruptedError. */
  readonly signal?: AbortSignal | undefined;
}

/** Opens no stream before the first question. */
export function makePrompt(given: PromptContext): Prompt {
  const context = { ...given, pasted: [] };
  const ask = (message: string, suffix: string, isHidden: boolean, options: AskOptions) =>
    askUntilUsable(context, { message: sanitize(message), suffix, isHidden }, options);
  const choose = async (message: string, options: AskOptions) =>
    /^y(es)?$/i.test((await ask(message, yesOrNo, false, options)).trim());
  return {
    hidden: (message, options) => ask(message, ' [hidden] ', true, options),
    line: (message, options) => ask(message, ' ', false, options),
    choose,
    confirm: async (message, options) => {
      if (!(await choose(message, options))) throw new DeclinedError(options.declined);
    },
  };
}

const yesOrNo = ' [y/N] ';

type AskOptions = PromptOptions & Partial<ConfirmOptions>;

/** `pasted`: lines that came together with an earlier answer. */
type AskContext = PromptContext & { readonly pasted: string[] };

interface Question {
  readonly message: string;
  readonly suffix: string;
  readonly isHidden: boolean;
}

async function askUntilUsable(context: AskContext, asked: Question, options: AskOptions): Promise<string> {
  if (!canAsk(context)) {
    const needs = asked.suffix === yesOrNo ? 'confirmation' : 'input';
    const question = asked.message.replace(/:$/, '');
    throw new UsageError(`${needs} needed, but there is no terminal: ${question}`, { hint: options.hint });
  }
  for (;;) {
    const answer = await askOnce(context, asked, options.declined);
    try {
      options.check?.(answer);
      return answer;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      // They were meant for other questions, and may be secrets.
      context.pasted.length = 0;
      await context.streams.stderr.write(`${sanitize(error.message)}\n`);
    }
  }
}

/** Reads a line in raw mode, where only readline can echo. */
async function askOnce(
  { system: { stdin: input }, streams: { stderr }, signal, pasted }: AskContext,
  { message, suffix, isHidden }: Question,
  declined = `no answer to "${message}"`,
): Promise<string> {
  if (signal?.aborted) throw toInterruption(signal);
  const question = `${message}${suffix}`;
  const line = pasted.shift();
  if (line !== undefined) {
    await stderr.write(`${question}${isHidden ? '' : sanitize(line)}\n`);
    return line;
  }
  let written = Promise.resolve();
  const print = (text: string) => {
    written = written.then(() => stderr.write(text));
  };
  let isOver = isHidden;
  // Hides secrets, and what is typed after an answer or Ctrl-C, which may be one.
  const echo = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      if (!isOver) print(chunk);
      done();
    },
  });
  const output = Object.assign(echo, { columns: stderr.columns });
  const readline = createInterface({ input, output, terminal: true, historySize: 0 });
  // Only now: before, the terminal itself would show what is typed.
  if (isHidden) print(question);
  let onAbort: () => void = () => undefined;
  try {
    return await new Promise<string>((resolve, reject) => {
      onAbort = () => reject(toInterruption(signal));
      signal?.addEventListener('abort', onAbort);
      // At once: readline goes on with what was pasted together with the answer.
      const end = (settle: () => void) => {
        isOver = true;
        settle();
      };
      readline.on('SIGINT', () => end(() => reject(new InterruptedError('SIGINT'))));
      readline.on('close', () => end(() => reject(new DeclinedError(declined))));
      readline.question(question, (answer) => end(() => resolve(answer)));
      readline.on('line', (further) => pasted.push(further));
    });
  } catch (error) {
    // Without an answer, no Enter has ended the line. Hidden questions end it below.
    if (!isHidden) print('\n');
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    readline.close();
    if (isHidden) print('\n');
    await written;
  }
}
