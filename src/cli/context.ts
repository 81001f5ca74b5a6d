import { setImmediate } from 'node:timers/promises';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { OutputChoice } from '../api/option-values.js';
import type { Api } from '../client/api.js';
import type { AddOptions } from '../errors/advice.js';
import { InterruptedError, UsageError } from '../errors/errors.js';
import { findHome } from '../platform/home-directory.js';
import { type ProfileStore, profileStore } from '../profiles/file/store.js';
import { once, ResolvedSettings } from '../profiles/resolve.js';
import type { Flags } from '../profiles/settings/settings.js';
import type { Progress, ProgressTask } from '../terminal/interaction/progress.js';
import type { Prompt, PromptContext } from '../terminal/interaction/prompt.js';
import type { Printer } from '../terminal/output/printer.js';
import { makeStreams, type Streams } from '../terminal/output/streams.js';
import { endSignals, type System } from '../terminal/process/system.js';
import type { CompiledExpression } from '../terminal/query/query.js';
import type { ApiOptions } from './connect.js';

/** The parts of the program that commands use. Functions accept a `Pick` of the ones they need. */
export interface Context {
  readonly system: System;
  readonly streams: Streams;
  readonly home: string;
  /** Aborted by SIGHUP, SIGINT and SIGTERM (with an InterruptedError), and when stdout's reader closes. */
  readonly signal: AbortSignal;
  flags(): Flags;
  clock(): number;
  settings(): ResolvedSettings;
  profiles(): ProfileStore;
  api(): Promise<Api>;
  apiFor(settings: Pick<ResolvedSettings, 'service'>, options?: ApiOptions): Promise<Api>;
  /** @param streams default: those of the process */
  printer(streams?: Streams): Promise<Printer>;
  /** Prints text for a shell or a file, such as a path: only options change its form, no variable and no profile. */
  textPrinter(): Promise<Printer>;
  prompt(): Promise<Prompt>;
  /** All of standard input. @throws UsageError for a terminal (the hint names `flag`), or over `maxBytes` */
  stdin(flag: string, maxBytes?: number): Promise<Buffer>;
  /** Runs work that blocks the event loop and needs no cleanup. Meanwhile, signals end the process at once. */
  whileBusy<Result>(work: () => Result): Promise<Result>;
  /** Prints a line to stderr, with a command if there is one, unless `--quiet` is given. */
  note(text: string, next?: readonly string[]): Promise<void>;
  /** Adds options to commands in hints and notes, so that they act on this command line's target. */
  optionAdder(): Promise<AddOptions>;
  progress(task: ProgressTask): Promise<Progress>;
  /** Sets the exit code of a run that throws no error, such as a child process's code; default: 0. */
  exitWith(code: number): void;
}

export interface OpenContext extends Context {
  exitCode(): number;
  /** Drops unread input after prompts. */
  discardTyped(): Promise<void>;
  close(): Promise<void>;
}

/** Starts listening for signals. Opens profiles, settings and APIs on first use. @param readFlags called at most once */
export function openContext(
  system: System,
  readFlags: () => Flags,
  readCommand: () => CommandUnknownOpts | undefined = () => undefined,
): OpenContext {
  const flags = once(readFlags);
  const home = findHome();
  const streams = makeStreams(system);
  const interruption = listenForSignals(system, streams.closed);
  const { env, platform } = system;
  const { signal } = interruption;
  const profiles = once(() => profileStore({ env, platform, homedir: home }));
  const settings = once(() => new ResolvedSettings({ flags: flags(), system, store: profiles(), signal }));
  const printerFor = (target: Streams, format: OutputChoice) =>
    openPrinter({ streams: target, env, optionAdder }, format, settings(), flags());
  const dataPrinter = async (target: Streams) => printerFor(target, (await settings().output()).value);
  const printer = once(() => dataPrinter(streams));
  const optionAdder = once(async () => {
    const { openAim } = await import('./aim.js');
    return openAim({ flags, settings, system }, readCommand());
  });
  const opened: Promise<Api>[] = [];
  const opener = once(async () => (await import('./connect.js')).apiOpener(context));
  const apiFor: Context['apiFor'] = (chosen, options) => {
    const api = opener().then((open) => open(chosen, options));
    opened.push(api);
    return api;
  };
  let exitCode = 0;
  let asked: Promise<Prompt> | undefined;
  const context: OpenContext = {
    system,
    streams,
    home,
    signal,
    flags,
    clock: Date.now,
    settings,
    profiles,
    printer: (other) => (other === undefined ? printer() : dataPrinter(other)),
    textPrinter: async () => printerFor(streams, settings().typedOutput()?.value ?? 'table'),
    api: once(() => apiFor(settings())),
    apiFor,
    prompt: async () => {
      asked ??= openPrompt({ system, streams, signal });
      return asked;
    },
    stdin: async (flag, maxBytes) => {
      const { readStdin } = await import('../terminal/interaction/stdin.js');
      const terminalHint = `${flag} reads from a pipe: … | orgctl …`;
      return readStdin(system, { terminalHint, signal, maxBytes });
    },
    whileBusy: interruption.whileBusy,
    note: async (text, next) => (await printer()).note(text, next),
    optionAdder,
    progress: async (task) => {
      const { startProgress } = await import('../terminal/interaction/progress.js');
      return startProgress({ streams, quiet: flags().quiet === true, now: () => performance.now() }, task);
    },
    exitWith: (code) => {
      exitCode = code;
    },
    exitCode: () => exitCode,
    discardTyped: async () => (await asked)?.discard(),
    async close() {
      interruption.stop();
      await closeOpened(opened);
    },
  };
  return context;
}

async function closeOpened(opened: readonly Promise<Api>[]): Promise<void> {
  for (const api of await Promise.allSettled(opened)) {
    if (api.status === 'fulfilled') await api.value.transport.close();
  }
}

function listenForSignals(system: System, closed: AbortSignal) {
  const controller = new AbortController();
  const listeners = endSignals.map((signal) => ({
    signal,
    listener: () => end(signal),
  }));
  const start = () => {
    for (const { signal, listener } of listeners) system.on(signal, listener);
  };
  const stop = () => {
    for (const { signal, listener } of listeners) system.off(signal, listener);
  };
  function end(signal: InterruptedError['signal']) {
    if (controller.signal.aborted) return;
    setTimeout(stop, 250).unref();
    controller.abort(new InterruptedError(signal));
  }
  async function whileBusy<Result>(work: () => Result): Promise<Result> {
    await setImmediate();
    controller.signal.throwIfAborted();
    stop();
    try {
      return work();
    } finally {
      start();
    }
  }
  start();
  return { signal: AbortSignal.any([controller.signal, closed]), stop, whileBusy };
}

async function openPrompt(context: PromptContext): Promise<Prompt> {
  const { makePrompt } = await import('../terminal/interaction/prompt.js');
  return makePrompt(context);
}

async function openPrinter(
  { streams, env, optionAdder }: Pick<Context, 'streams' | 'optionAdder'> & Pick<System, 'env'>,
  format: OutputChoice,
  settings: ResolvedSettings,
  flags: Flags,
): Promise<Printer> {
  const { makePrinter } = await import('../terminal/output/printer.js');
  const { parseColumns } = await import('../terminal/formats/columns.js');
  const { decideColor } = await import('../terminal/text/color.js');
  if (flags.raw && flags.query === undefined) {
    throw new UsageError('--raw needs --query', { hint: "for example --query '[].id' --raw" });
  }
  const query = flags.query === undefined ? undefined : await compileOnce(flags.query);
  if (flags.columns !== undefined && (flags.raw || !['table', 'wide', 'csv'].includes(format))) {
    throw new UsageError(`--columns is for table and csv, not for ${flags.raw ? '--raw' : format}`, {
      hint: "add -o table or -o csv; or select fields: --query '[].{id: id, name: name}'",
    });
  }
  return makePrinter({
    streams,
    format: format === 'wide' ? 'table' : format,
    wide: format === 'wide',
    color: decideColor(settings.color().value, env, streams.stdout),
    quiet: flags.quiet === true,
    query,
    raw: flags.raw,
    headers: flags.headers,
    columns: flags.columns === undefined ? undefined : parseColumns(flags.columns),
    addOptions: optionAdder,
  });
}

async function compileOnce(expression: string): Promise<CompiledExpression> {
  const { compileQuery } = await import('../terminal/query/query.js');
  return compileQuery(expression);
}
