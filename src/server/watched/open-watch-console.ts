import { randomBytes } from 'node:crypto';
import { readMessage } from '../../errors/errors.js';
import { type ManagementConsole, openConsoleListener } from '../console/open-console.js';
import { controllers } from '../control/guard.js';
import { leaveProxyFile } from '../data/server-file.js';
import { defaultLimits } from '../http/limits.js';
import type { Journal } from '../journal/journal.js';
import type { Notify } from '../journal/log.js';
import type { WatchedProxy } from './watch-control.js';

export interface WatchConsoleOptions {
  readonly port: number;
  readonly proxy: WatchedProxy;
  readonly journal: Journal;
  /** Where to store the address and token for this user's programs. */
  readonly directory: string;
  readonly notify: Notify;
}

/** The read-only console of a proxy; also shows the proxy's requests to programs with the token. */
export interface WatchConsole {
  /** Opens the console once, in one browser. */
  readonly link: string;
  close(): Promise<void>;
}

/** @throws UsageError if it cannot listen */
export async function openWatchConsole(options: WatchConsoleOptions): Promise<WatchConsole> {
  const { port, proxy, journal, notify } = options;
  const token = randomBytes(32).toString('hex');
  const { watchControl } = await import('./watch-control.js');
  const consoleUrl = () => management.url;
  const consoleLink = () => management.link();
  const management: ManagementConsole = await openConsoleListener({
    port,
    notify,
    mountControl: (door) => watchControl(proxy, { journal, consoleUrl, consoleLink }, door),
    controllers: controllers(token, {}),
    report: (error) => notify('error', readMessage(error)),
    clock: Date.now,
    limits: defaultLimits,
  });
  const removeFile = await leave({ ...proxy, token, console: management.url }, options);
  return {
    link: management.firstLink(),
    async close() {
      await removeFile();
      await management.close();
    },
  };
}

/** Without the file the console still works, but `orgctl local` cannot find it. */
async function leave(
  file: Parameters<typeof leaveProxyFile>[1],
  { directory, notify }: WatchConsoleOptions,
): Promise<() => Promise<void>> {
  try {
    return await leaveProxyFile(directory, file);
  } catch (error) {
    notify('warning', `other commands cannot find this proxy: ${readMessage(error)}`);
    return () => Promise.resolve();
  }
}
