import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { InterruptedError, OrgctlError, UsageError } from '../errors.js';
import { sanitize } from './sanitize.js';
import type { Output, Streams } from './streams.js';
import type { InputStream, System } from './system.js';

export interface PromptOptions {
  /** How to answer where there is no terminal to ask on, such as `use --password-stdin`. */
  readonly hint: string;
}

/**
 * Questions to the person at the terminal, on stderr.
 *
 * All throw a UsageError when stdin or stderr is no terminal or the input ends, and an InterruptedError at Ctrl-C or
 * when the command is aborted; the terminal is as it was before in every case.
 */
export interface Prompt {
  /** A secret, not echoed; what was typed up to Enter, which may be nothing. */
  hidden(message: string, options: PromptOptions): Promise<string>;
  /** A line, echoed; what was typed up to Enter. */
  line(message: string, options: PromptOptions): Promise<string>;
  /** Yes or no; anything but `y` and `yes` is no. */
  confirm(message: string, options: PromptOptions): Promise<boolean>;
}

export interface PromptContext {
  readonly system: Pick<System, 'stdin'>;
  readonly streams: Streams;
  /** Aborted when the command is to end; its reason is thrown when that is one of our errors. */
  readonly signal?: AbortSignal | undefined;
}

/** Prompts on the terminal of the system. Nothing is opened before the first question. */
export function makePrompt(context: PromptContext): Prompt {
  return {
    hidden: (message, options) => ask(context, message, options, askHidden),
    line: (message, options) =>
      ask(context, message, options, (clean, terminal) => askLine(`${clean} `, terminal)),
    confirm: async (message, options) => {
      const answer = await ask(context, message, options, (clean, terminal) =>
        askLine(`${clean} [y/N] `, terminal),
      );
      return /^y(es)?$/i.test(answer.trim());
    },
  };
}

/** The terminal during one question; `ended` is aborted by whatever ends the question without an answer. */
interface Terminal {
  readonly input: InputStream;
  readonly output: Writable;
  readonly ended: AbortSignal;
}

type Ask = (message: string, terminal: Terminal) => Promise<string>;

async function ask(
  { system, streams, signal }: PromptContext,
  message: string,
  { hint }: PromptOptions,
  act: Ask,
): Promise<string> {
  const input = system.stdin;
  const clean = sanitize(message);
  if (input.isTTY !== true || !streams.stderr.isTerminal) {
    throw new UsageError(`cannot ask "${clean}": there is no terminal`, { hint });
  }
  const end = new AbortController();
  const onAbort = () => end.abort(interruption(signal));
  // Readline pauses its input when it closes by itself: at Ctrl-D, or when the terminal is gone.
  const onPause = () => end.abort(new UsageError(`no answer to "${clean}"`, { hint }));
  if (signal?.aborted) throw interruption(signal);
  signal?.addEventListener('abort', onAbort);
  input.on('pause', onPause);
  const output = terminalWriter(streams.stderr);
  try {
    return await act(clean, { input, output, ended: end.signal });
  } finally {
    signal?.removeEventListener('abort', onAbort);
    input.off('pause', onPause);
    // What follows on stderr must not overtake the end of the prompt.
    output.end();
    await finished(output);
  }
}

function interruption(signal: AbortSignal | undefined): OrgctlError {
  return signal?.reason instanceof OrgctlError ? signal.reason : new InterruptedError('SIGINT');
}

async function askHidden(message: string, { input, output, ended }: Terminal): Promise<string> {
  const { default: password } = await import('@inquirer/password');
  try {
    return await password({ message, theme: plainTheme }, { input, output, signal: ended });
  } catch (error) {
    // The name is how the library tells Ctrl-C apart; its class is no export of this package. This comes first: the
    // library pauses the input before it rejects.
    if (error instanceof Error && error.name === 'ExitPromptError') throw new InterruptedError('SIGINT');
    ended.throwIfAborted();
    throw error;
  }
}

// The library would colour by its own reading of the environment, which knows nothing of --color.
const plain = (text: string) => text;
const plainTheme = {
  prefix: '?',
  style: { message: plain, answer: plain, error: plain, help: () => '[hidden]' },
};

async function askLine(question: string, { input, output, ended }: Terminal): Promise<string> {
  const readline = createInterface({ input, output, terminal: true });
  try {
    return await new Promise<string>((resolve, reject) => {
      ended.addEventListener('abort', () => reject(ended.reason));
      readline.on('SIGINT', () => reject(new InterruptedError('SIGINT')));
      readline.question(question, resolve);
    }).catch((error: unknown) => {
      // Enter moves the cursor to the next line; without it the cursor would stay behind the question.
      output.write('\n');
      throw error;
    });
  } finally {
    readline.close();
  }
}

// A stream that the prompt may end: ending stderr itself would silence whatever follows.
function terminalWriter(output: Output): Writable {
  const writer = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) => {
      output.write(chunk).then(() => done(), done);
    },
  });
  return Object.assign(writer, { isTTY: true, columns: output.columns });
}
