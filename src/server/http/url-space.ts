import { controlPath } from '../../api/control/calls.js';
import { readPath } from '../../text/target-path.js';

/** How targets that clients send become the service's own. */
export interface Targets {
  /** The target within the service, as the API reference writes it. */
  toLocal(target: string): string;
  /** The target that signatures cover. */
  toSigned(target: string): string;
}

/** A service without a base path. */
export const ownTargets: Targets = { toLocal: (target) => target, toSigned: (target) => target };

/** Paths that the server uses itself, outside the service's URL space [ours]. */
export const ownPath = { control: controlPath, console: '/console', health: '/healthz' } as const;

const ownNames = Object.values(ownPath).map((path) => path.slice(1));
const ownPathPattern = new RegExp(ownNames.join('|'), 'i');
const isOwn = new RegExp(`^/(?:${ownNames.join('|')})(?:/|$)`, 'i');

/** Whether a target is the service's; spellings of the server's own paths (case, dots, escapes, slashes) are not. */
export function isServiceTarget(target: string): boolean {
  const path = readPath(target);
  if (!ownPathPattern.test(path)) return true;
  const slashes = path
    .replaceAll('\\', '/')
    .replace(/^\/*/, '/')
    .replaceAll(/\/{2,}/g, '/');
  return !isOwn.test(new URL(`http://a${slashes}`).pathname);
}

/**
 * The target for the router. One with broken escapes is authenticated like any other, then not found; the framework
 * would refuse it before any hook.
 */
export function routableTarget(target: string): string {
  if (!target.includes('%')) return target;
  try {
    decodeURIComponent(target.split('?', 1)[0] ?? '');
    return target;
  } catch (error) {
    if (error instanceof URIError) return '/';
    throw error;
  }
}
