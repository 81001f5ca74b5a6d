import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { InterruptedError, OrgctlError, UsageError } from '../errors.js';
import { holdThroughStops } from './job-control.js';
import { sanitize } from './sanitize.js';
import type { Output, Streams } from './streams.js';
import type { System } from './system.js';

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
  readonly system: Pick<System, 'stdin' | 'on' | 'off' | 'stop' | 'stopJob'>;
  readonly streams: Streams;
  /** Aborted when the command is to end; its reason is thrown when that is one of our errors. */
  readonly signal?: AbortSignal | undefined;
}

/** Prompts on the terminal of the system. Nothing is opened before the first question. */
export function makePrompt(context: PromptContext): Prompt {
  return {
    hidden: (message, options) => ask(context, message, options, { suffix: ' [hidden] ', echo: false }),
    line: (message, options) => ask(context, message, options, { suffix: ' ', echo: true }),
    confirm: async (message, options) => {
      const answer = await ask(context, message, options, { suffix: ' [y/N] ', echo: true });
      return /^y(es)?$/i.test(answer.trim());
    },
  };
}

/** How one kind of question looks. */
interface Style {
  readonly suffix: string;
  /** Whether what is typed is shown. */
  readonly echo: boolean;
}

/** The terminal during one question; `ended` is aborted by whatever ends the question without an answer. */
interface Terminal {
  readonly system: PromptContext['system'];
  readonly output: Writable;
  readonly ended: AbortSignal;
}

async function ask(
  { system, streams, signal }: PromptContext,
  message: string,
  { hint }: PromptOptions,
  { suffix, echo }: Style,
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
    return await readLine(`${clean}${suffix}`, echo, { system, output, ended: end.signal });
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

/** Reads a line from the terminal, which is in raw mode meanwhile: readline echoes the keys, or nothing does. */
async function readLine(question: string, echo: boolean, terminal: Terminal): Promise<string> {
  const { system, output, ended } = terminal;
  const { stdin: input } = system;
  const readline = createInterface({
    input,
    output: echo ? output : nowhere(),
    terminal: true,
    historySize: 0,
  });
  const redraw = () => (echo ? readline.prompt(true) : output.write(question));
  const letGo = holdThroughStops(system, {
    release: () => void input.setRawMode?.(false),
    retake: () => {
      // Node caches the mode, which the shell may have changed.
      input.setRawMode?.(false);
      input.setRawMode?.(true);
      redraw();
    },
  });
  try {
    return await new Promise<string>((resolve, reject) => {
      ended.addEventListener('abort', () => reject(ended.reason));
      readline.on('SIGINT', () => reject(new InterruptedError('SIGINT')));
      // Readline would stop this process alone, and give up its input when it goes on.
      readline.on('SIGTSTP', () => system.stopJob());
      if (!echo) output.write(question);
      readline.question(question, resolve);
    }).catch((error: unknown) => {
      // Enter moves the cursor to the next line; without it the cursor would stay behind the question.
      if (echo) output.write('\n');
      throw error;
    });
  } finally {
    letGo();
    readline.close();
    if (!echo) output.write('\n');
  }
}

/** Where readline echoes a secret to. */
function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
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
