import { createHash, randomBytes } from 'node:crypto';
import { defaultLimits } from '../http/connections.js';
import { listenSomewhere, toUrl } from '../http/listen.js';
import { type Handle, Listener } from '../http/listener.js';
import type { Notify } from '../journal/log.js';
import type { ConsoleParts } from './app.js';

const host = '127.0.0.1';

export type ManagementConsole = Awaited<ReturnType<typeof openConsoleListener>>;

/**
 * Serves the page, its sessions and the control API on a port of their own; if that is taken, on a free one.
 * @throws UsageError if it cannot listen
 */
export async function openConsoleListener(port: number, notify: Notify, parts: ConsoleParts) {
  const sessions = openSessions();
  let url = '';
  let app: Promise<Handle> | undefined;
  const load = async () => (await import('./app.js')).consoleApp(parts, listener.connections, sessions, url);
  const listener = new Listener({
    ...{ clock: Date.now, notify, limits: defaultLimits, finish: addSafeHeaders },
    handle: (request, response) =>
      listener.answer(request, response, async () => {
        app ??= load();
        return (await app)(request, response);
      }),
  });
  const bound = await listenSomewhere(listener.server, host, port);
  url = toUrl('http', host, bound);
  if (port !== 0 && bound !== port)
    notify('warning', `port ${port} on ${host} is in use; the management console is at ${url}`);
  return {
    url,
    /** Lets one browser in, within a minute. */
    link: () => `${url}/#t=${sessions.newToken()}`,
    /** Lets one browser in, as long as the console is open. */
    firstLink: () => `${url}/#t=${sessions.newToken(Number.POSITIVE_INFINITY)}`,
    close: () => listener.close(),
  };
}

const policy = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"],
  ...["img-src 'self' data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  "require-trusted-types-for 'script'",
].join('; ');

/** The page runs only its own code, and no other site can frame or read it. */
function addSafeHeaders(headers: string[]): void {
  headers.push('Content-Security-Policy', policy, 'X-Content-Type-Options', 'nosniff');
  headers.push('Referrer-Policy', 'no-referrer', 'Cross-Origin-Resource-Policy', 'same-origin');
  headers.push('Cross-Origin-Opener-Policy', 'same-origin');
  if (!headers.includes('Cache-Control')) headers.push('Cache-Control', 'no-store');
}

/** Milliseconds. */
const linkAge = 60_000;

/** Stores only hashes, so that look-up times reveal nothing. */
function openSessions() {
  /** Expiry times by the tokens' hashes. */
  const links = new Map<string, number>();
  const bearers = new Set<string>();
  return {
    /** A token that works once, by default within a minute. */
    newToken(age = linkAge): string {
      const token = newSecret();
      links.set(hashSecret(token), performance.now() + age);
      return token;
    },
    /** The bearer token of a new session; `undefined` if the token is unknown, used or expired. */
    open(token: string): string | undefined {
      const hash = hashSecret(token);
      const until = links.get(hash) ?? 0;
      links.delete(hash);
      if (performance.now() > until) return undefined;
      const bearer = newSecret();
      bearers.add(hashSecret(bearer));
      return bearer;
    },
    isOpen: (bearer: string): boolean => bearers.has(hashSecret(bearer)),
  };
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
