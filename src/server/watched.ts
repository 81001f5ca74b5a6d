import { randomBytes } from 'node:crypto';
import type { FaultState } from '../api/faults/faults.js';
import { type ManagementConsole, openConsoleListener } from './console/open-console.js';
import { readingCalls } from './control/calls.js';
import { callRoutes, controlHandler } from './control/control-handler.js';
import type { Watched } from './control/controlled.js';
import { controllers } from './control/guard.js';
import { leaveProxyFile } from './data/server-file.js';
import { HttpError } from './http/answer.js';
import type { Journal } from './journal/journal.js';
import type { Notify } from './journal/log.js';

export interface WatchConsoleOptions {
  readonly port: number;
  readonly faults: () => readonly FaultState[];
  /** `upstream` is the service behind the proxy; `keyId` is empty without a profile. */
  readonly facts: Record<'url' | 'upstream' | 'keyId' | 'startedAt', string> & { readonly pid: number };
  readonly journal: Journal;
  /** For a file with the console's address and token. */
  readonly directory: string;
  readonly notify: Notify;
}

export type WatchConsole = Awaited<ReturnType<typeof openWatchConsole>>;

/**
 * Opens a proxy's read-only console; programs with the token can read its requests, too. The link works once, in one
 * browser. Most calls are refused, because a proxy does not control the service.
 * @throws UsageError if it cannot listen, ConfigError if its file is unwritable
 */
export async function openWatchConsole(options: WatchConsoleOptions) {
  const { port, facts, faults, journal, notify, directory } = options;
  const token = randomBytes(32).toString('hex');
  const watched: Watched = {
    journal,
    consoleLink: () => management.link(),
    status: () => ({
      ...facts,
      ...{ console: management.url, organization: '', faults: faults(), stubs: [], rateLimit: null },
      ...{ clock: { time: new Date().toISOString(), offset: 0 }, savesProfiles: false },
    }),
  };
  const refuse = () =>
    new HttpError(501, `this is a proxy in front of ${facts.upstream}: it only shows requests`);
  const management: ManagementConsole = await openConsoleListener(port, notify, {
    mountControl: (connections) =>
      controlHandler(callRoutes(readingCalls, watched), journal, connections, refuse),
    controllers: controllers(token, {}),
  });
  const removeFile = await leaveProxyFile(directory, { ...facts, token, console: management.url });
  return {
    link: management.firstLink(),
    async close() {
      await removeFile();
      await management.close();
    },
  };
}
