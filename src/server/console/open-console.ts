import type { Socket } from 'node:net';
import type { ConsoleInvitation } from '../control/control.js';
import { storeSessions } from '../data/stored-sessions.js';
import { ByteBudget } from '../http/byte-budget.js';
import type { Limits } from '../http/limits.js';
import type { Notify } from '../journal/log.js';
import { LateApp } from '../late/late-app.js';
import { answerBrokenRequest } from '../listening/broken-request.js';
import { ConnectionLimiter } from '../listening/connection-limiter.js';
import { Drain } from '../listening/drain.js';
import { createHttpServer } from '../listening/http-server.js';
import { listenSomewhere, toUrl } from '../listening/listen.js';
import { problemOfHead } from '../listening/request-head.js';
import type { ConsoleAppOptions } from './console-app.js';
import { Sessions } from './sessions.js';

const host = '127.0.0.1';

export type ConsoleService = Pick<
  ConsoleAppOptions,
  'mountControl' | 'controllers' | 'writeCommand' | 'report' | 'clock'
>;

export interface ConsoleListenerOptions extends ConsoleService {
  readonly port: number;
  readonly limits: Limits;
  readonly notify: Notify;
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
  const { port, limits, notify, directory } = options;
  const sessions = new Sessions();
  const drain = new Drain();
  const room = new ConnectionLimiter(limits);
  let url = '';
  const late = new LateApp(async () => {
    const { consoleApp } = await import('./console-app.js');
    return consoleApp({
      ...options,
      sessions,
      stored: directory === undefined ? undefined : storeSessions(directory),
      origin: url,
      held: new ByteBudget(limits.heldBytes),
      ended: drain.ended,
      closing: () => drain.closing,
      problemOf: (request) => room.problemOf(request.socket) ?? problemOfHead(request),
      // The listener below handles broken requests, even before the first visit.
      onBroken: () => undefined,
      serverFactory: () => server,
    });
  }, options.report);
  const server = createHttpServer(late.answer, { tls: undefined, limits, room });
  server.on('clientError', (error, socket: Socket) => answerBrokenRequest(error, socket, () => undefined));
  drain.watch(server);
  const bound = await listenSomewhere(server, host, port);
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
    async close() {
      await drain.close(server);
      await late.close();
    },
  };
}
