import type { IncomingMessage } from 'node:http';
import { controlPath } from '../../api/control/calls.js';
import { readPath } from '../../text/base-url.js';

export interface Targets {
  toLocal(target: string): string;
  /** The target that signatures cover. */
  toSigned(target: string): string;
}

export const ownTargets: Targets = { toLocal: (target) => target, toSigned: (target) => target };

export const ownPath = { control: controlPath, console: '/console', health: '/healthz' } as const;

const ownNames = Object.values(ownPath).map((path) => path.slice(1));
const ownPathPattern = new RegExp(ownNames.join('|'), 'i');
const isOwn = new RegExp(`^/(?:${ownNames.join('|')})(?:/|$)`, 'i');

/** Whether a target belongs to the service. The server's own paths do not, however they are spelled. */
export function isServiceTarget(target: string): boolean {
  const path = readPath(target);
  if (!ownPathPattern.test(path)) return true;
  const slashes = path
    .replaceAll('\\', '/')
    .replace(/^\/*/, '/')
    .replaceAll(/\/{2,}/g, '/');
  return !isOwn.test(new URL(`http://a${slashes}`).pathname);
}

const absoluteForm = /^https?:\/\/([^/?#]*)/i;

/** Converts an absolute target to origin form; the target's authority replaces `Host` (RFC 9112, section 3.2.2). */
export function takeOriginForm(request: IncomingMessage): void {
  const { url = '/' } = request;
  if (url.startsWith('/')) return;
  const [origin, authority] = absoluteForm.exec(url) ?? [];
  if (origin === undefined || authority === undefined) return;
  const rest = url.slice(origin.length);
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  if (request.headers.host !== undefined) request.headers.host = authority;
}
