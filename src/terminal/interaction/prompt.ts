import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { DeclinedError, InterruptedError, toInterruption, UsageError } from '../../errors/errors.js';
import type { Output, Streams } from '../output/streams.js';
import { holdThroughStops } from '../process/job-control.js';
import type { System } from '../process/system.js';
import { sanitize } from '../text/sanitize.js';
import { canAsk } from './can-ask.js';
import { TypedAhead } from './typed-ahead.js';

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
 * A line typed ahead answers the next question. After an unusable answer, lines typed ahead are dropped: one may be a
 * secret for another question. Each question restores the terminal afterwards. It throws UsageError without a terminal,
 * DeclinedError at the end of input (Ctrl-D), and InterruptedError after Ctrl-C.
 */
export interface Prompt {
  hidden(message: string, options: PromptOptions): Promise<string>;
  line(message: string, options: PromptOptions): Promise<string>;
  /** Chooses between two ways to continue: anything except `y` and `yes` is no. */
  choose(message: string, options: PromptOptions): Promise<boolean>;
  /** @throws DeclinedError for any answer except `y` and `yes`; the command then ends as after Ctrl-C */
  confirm(message: string, options: ConfirmOptions): Promise<void>;
  /** Drops input typed ahead; otherwise, the shell would run it after an error. */
  discard(): Promise<void>;
}

export interface PromptContext {
  readonly system: Pick<System, 'stdin' | 'on' | 'off' | 'stop' | 'stopJob'>;
  readonly streams: Streams;
  /** When aborted, the question throws the signal's reason if that is an OrgctlError, or else an InterruptedError. */
  readonly signal?: AbortSignal | undefined;
}

/** Opens no stream before the first question. */
export function makePrompt({ system, streams, signal }: PromptContext): Prompt {
  const context = { system, streams, signal, ahead: new TypedAhead(system) };
  const choose = async (message: string, options: AskOptions) => {
    const answer = await askUntilUsable(context, message, options, {
      needs: 'confirmation',
      suffix: ' [y/N] ',
      echo: true,
    });
    return /^y(es)?$/i.test(answer.trim());
  };
  return {
    hidden: (message, options) =>
      askUntilUsable(context, message, options, { needs: 'input', suffix: ' [hidden] ', echo: false }),
    line: (message, options) =>
      askUntilUsable(context, message, options, { needs: 'input', suffix: ' ', echo: true }),
    choose,
    confirm: async (message, options) => {
      if (!(await choose(message, options))) throw new DeclinedError(options.declined);
    },
    discard: () => context.ahead.discard(),
  };
}

type AskOptions = PromptOptions & Partial<ConfirmOptions>;

interface AskContext extends PromptContext {
  readonly ahead: TypedAhead;
}

async function askUntilUsable(
  context: AskContext,
  message: string,
  options: AskOptions,
  style: Style,
): Promise<string> {
  for (;;) {
    const answer = await askLine(context, message, options, style);
    try {
      options.check?.(answer);
      return answer;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      await context.ahead.discard();
      await context.streams.stderr.write(`${sanitize(error.message)}\n`);
    }
  }
}

interface Style {
  /** For the error message if there is no terminal. */
  readonly needs: 'confirmation' | 'input';
  readonly suffix: string;
  readonly echo: boolean;
}

/** The terminal during one question. `ended` is aborted when the question ends without an answer. */
interface Terminal {
  readonly system: PromptContext['system'];
  readonly output: Writable;
  readonly columns: number | undefined;
  readonly ended: AbortSignal;
  readonly ahead: TypedAhead;
}

async function askLine(
  { system, streams, signal, ahead }: AskContext,
  message: string,
  { hint, declined }: AskOptions,
  { needs, suffix, echo }: Style,
): Promise<string> {
  const input = system.stdin;
  const clean = sanitize(message);
  if (!canAsk({ system, streams })) {
    const question = clean.replace(/:$/, '');
    throw new UsageError(`${needs} needed, but there is no terminal: ${question}`, { hint });
  }
  const end = new AbortController();
  const onAbort = () => end.abort(toInterruption(signal));
  // Readline pauses its input when it closes, for example after Ctrl-D or when the terminal closes.
  const onPause = () => end.abort(new DeclinedError(declined ?? `no answer to "${clean}"`));
  if (signal?.aborted) throw toInterruption(signal);
  const line = ahead.next();
  if (line !== undefined) {
    await streams.stderr.write(`${clean}${suffix}${echo ? sanitize(line) : ''}\n`);
    return line;
  }
  signal?.addEventListener('abort', onAbort);
  input.on('pause', onPause);
  const output = terminalWriter(streams.stderr);
  try {
    const { columns } = streams.stderr;
    return await readLine(`${clean}${suffix}`, echo, { system, output, columns, ended: end.signal, ahead });
  } finally {
    signal?.removeEventListener('abort', onAbort);
    input.off('pause', onPause);
    // The prompt must be written completely before other text on stderr.
    output.end();
    await finished(output);
  }
}

/** Reads a line in raw mode, where only readline can echo. */
async function readLine(question: string, echo: boolean, terminal: Terminal): Promise<string> {
  const { system, output, columns, ended, ahead } = terminal;
  const { stdin: input } = system;
  let isOver = false;
  // Hides secrets, and also input after an answer or Ctrl-C, which may be a secret.
  const keys = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      if (echo && !isOver) output.write(chunk);
      done();
    },
  });
  const readline = createInterface({
    input,
    output: Object.assign(keys, { columns }),
    terminal: true,
    historySize: 0,
  });
  const redraw = () => {
    if (echo) return readline.prompt(true);
    // Clears hidden input: after a stop, the user cannot see what was typed before.
    readline.write(null, { ctrl: true, name: 'e' });
    readline.write(null, { ctrl: true, name: 'u' });
    output.write(question);
  };
  const letGo = holdThroughStops(system, {
    release: () => void input.setRawMode?.(false),
    retake: () => {
      // Node would skip a change to the mode that it has cached, but the shell may have changed the real one.
      input.setRawMode?.(false);
      input.setRawMode?.(true);
      redraw();
    },
  });
  try {
    return await new Promise<string>((resolve, reject) => {
      ended.addEventListener('abort', () => reject(ended.reason));
      readline.on('SIGINT', () => {
        isOver = true;
        ahead.interrupt();
        reject(new InterruptedError('SIGINT'));
      });
      // By default, readline stops only this process and gives up its input when resumed.
      readline.on('SIGTSTP', () => system.stopJob());
      if (!echo) output.write(question);
      readline.question(question, (answer) => {
        isOver = true;
        resolve(answer);
      });
      // Input after the answer, such as further pasted lines.
      readline.on('line', (line) => ahead.add(line));
      const rest = ahead.takeRest();
      if (rest !== '') readline.write(rest);
    }).catch((error: unknown) => {
      // Without an answer, no Enter has ended the line. Hidden questions end it below.
      if (echo) output.write('\n');
      throw error;
    });
  } finally {
    letGo();
    if (isOver) ahead.setRest(readline.line);
    readline.close();
    if (!echo) output.write('\n');
  }
}

// The prompt ends this stream; ending stderr itself would silence later output.
function terminalWriter(output: Output): Writable {
  return new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) => {
      output.write(chunk).then(() => done(), done);
    },
  });
}
