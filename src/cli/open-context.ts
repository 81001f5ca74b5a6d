import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { OutputChoice } from '../api/option-values.js';
import type { Transport } from '../client/transport/transport.js';
import { InterruptedError } from '../errors/errors.js';
import { findHome } from '../platform/home-directory.js';
import { once } from '../platform/once.js';
import { profileStore } from '../profiles/file/store.js';
import { ResolvedSettings, type ServiceSettings } from '../profiles/resolve.js';
import type { Flags } from '../profiles/settings/settings.js';
import { makeStreams } from '../terminal/output/streams.js';
import { onEndSignal, type System } from '../terminal/process/system.js';
import type { Context } from './context.js';

export interface OpenContext extends Context {
  exitCode(): number;
  close(): Promise<void>;
}

/** Starts listening for signals; everything else is opened when it is first used. */
export function openContext(
  system: System,
  readFlags: () => Flags,
  readCommand: () => CommandUnknownOpts | undefined = () => undefined,
): OpenContext {
  const { env, platform } = system;
  const flags = once(readFlags);
  const home = findHome();
  const streams = makeStreams(system);
  const { signal, stop } = listenForSignals(system, streams.closed);
  const profiles = once(() => profileStore({ env, platform, homedir: home }));
  const settings = once(() => new ResolvedSettings({ flags: flags(), system, store: profiles(), signal }));
  const transports: Promise<Transport>[] = [];
  const openFor = (service: ServiceSettings): Promise<Transport> => {
    const opened = import('./connect.js').then(({ openTransport }) => openTransport(service, context));
    transports.push(opened);
    return opened;
  };
  const transport = once(async () => openFor(await settings().service()));
  const toApi = async (opened: Promise<Transport>) =>
    (await import('../client/api.js')).createApi(await opened);
  const printerOf = async (format: OutputChoice, to = streams) =>
    (await import('./open-printer.js')).openPrinter(format, to, context);
  const printer = once(async () => printerOf((await settings().output()).value));
  let exitCode = 0;
  const context: OpenContext = {
    ...{ system, streams, home, flags, settings, profiles, transport, signal, clock: Date.now },
    printer: async (to) => (to === undefined ? printer() : printerOf((await settings().output()).value, to)),
    textPrinter: () => printerOf(settings().typedOutput()?.value ?? 'table'),
    api: once(() => toApi(transport())),
    apiFor: (service) => toApi(openFor(service)),
    prompt: once(async () => {
      const { Prompt } = await import('../terminal/interaction/prompt.js');
      return new Prompt({ system, streams, signal });
    }),
    stdin: async (flag, maxBytes) => {
      const { readStdin } = await import('../terminal/interaction/stdin.js');
      return readStdin(system, flag, signal, maxBytes);
    },
    note: async (text, next) => (await printer()).note(text, next),
    optionAdder: once(async () => (await import('./error-report.js')).openAim(context, readCommand())),
    progress: async (task) => {
      const { startProgress } = await import('../terminal/interaction/progress.js');
      return startProgress(task, streams, flags().quiet);
    },
    exitWith: (code) => {
      exitCode = code;
    },
    exitCode: () => exitCode,
    async close() {
      stop();
      for (const opened of await Promise.allSettled(transports))
        if (opened.status === 'fulfilled') await opened.value.close();
    },
  };
  return context;
}

/** Stops listening after the first signal, so that a further one ends the process. */
function listenForSignals(system: System, closed: AbortSignal) {
  const controller = new AbortController();
  const stop = onEndSignal(system, (signal) => {
    if (controller.signal.aborted) return;
    // One press of Ctrl-C can arrive twice.
    setTimeout(stop, 250).unref();
    controller.abort(new InterruptedError(signal));
  });
  return { signal: AbortSignal.any([controller.signal, closed]), stop };
}
