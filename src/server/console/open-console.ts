import type { ConsoleInvitation } from '../control/control.js';
import { storeSessions } from '../data/stored-sessions.js';
import type { Limits } from '../http/limits.js';
import { listenSomewhere, toUrl } from '../http/listen.js';
import { type Handle, Listener } from '../http/listener.js';
import type { Notify } from '../journal/log.js';
import type { ConsoleAppOptions } from './console-app.js';
import { addSafeHeaders } from './safe-headers.js';
import { Sessions } from './sessions.js';

const host = '127.0.0.1';

export type ConsoleService = Pick<
  ConsoleAppOptions,
  'mountControl' | 'controllers' | 'writeCommand' | 'report'
>;

export interface ConsoleListenerOptions extends ConsoleService {
  readonly port: number;
  readonly limits: Limits;
  readonly notify: Notify;
  readonly clock: () => number;
  /** The data directory, which stores sessions for the next start; absent if they end with the server. */
  readonly directory: string | undefined;
}

export interface ManagementConsole {
  readonly url: string;
  link(): string;
  /** Like `link`, but valid for a minute from the first visit to the page. */
  firstLink(): string;
  invite(): ConsoleInvitation;
  close(): Promise<void>;
}

/** Loads its app at the first request; replaces a taken port with a free one. @throws UsageError if it cannot listen */
export async function openConsoleListener(options: ConsoleListenerOptions): Promise<ManagementConsole> {
  const { port, notify, directory } = options;
  const sessions = new Sessions();
  let url = '';
  let app: Promise<Handle> | undefined;
  const open = async () => {
    const { consoleApp } = await import('./console-app.js');
    const stored = directory === undefined ? undefined : storeSessions(directory);
    return consoleApp({ ...options, connections: listener.connections, sessions, stored, origin: url });
  };
  const listener = new Listener({
    ...options,
    finish: addSafeHeaders,
    handle: (request, response) =>
      listener.answer(request, response, async () => {
        app ??= open();
        return (await app)(request, response);
      }),
  });
  const bound = await listenSomewhere(listener.server, host, port);
  url = toUrl('http', host, bound);
  if (port !== 0 && bound !== port) {
    notify('warning', `port ${port} on ${host} is in use; the management console is at ${url}`);
  }
  const linkOf = (token: string) => `${url}/#t=${token}`;
  return {
    url,
    link: () => linkOf(sessions.newToken()),
    firstLink: () => linkOf(sessions.newUnseenToken()),
    invite: () => ({ console: `${url}/`, code: sessions.newCode() }),
    close: () => listener.close(),
  };
}
