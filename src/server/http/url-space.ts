import { controlPath } from '../../api/control/calls.js';

/** Paths that the server uses itself, outside the service's URL space [ours]. */
export const ownPath = { control: controlPath, console: '/console', health: '/healthz' } as const;

const names = Object.values(ownPath).map((path) => path.slice(1));
const ownName = new RegExp(names.join('|'), 'i');
const isOwn = new RegExp(`^/(?:${names.join('|')})(?:/|$)`, 'i');

/**
 * Whether a target belongs to the service of the reference. Other spellings of what is not the service's are no targets
 * of it either, whether or not they lead anywhere: in another case, with dots, escapes, or slashes that are too many.
 */
export function isServiceTarget(target: string): boolean {
  const path = pathOf(target);
  if (!ownName.test(path)) return true;
  const slashes = path
    .replaceAll('\\', '/')
    .replace(/^\/*/, '/')
    .replaceAll(/\/{2,}/g, '/');
  return !isOwn.test(new URL(`http://a${slashes}`).pathname);
}

/** A target's path as it is routed: without query and fragment, its escapes decoded as far as they can be. */
export function pathOf(target: string): string {
  const [path = ''] = target.split(/[?#]/, 1);
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return path.replaceAll(/%[0-7][0-9a-f]/gi, decodeURIComponent);
  }
}

/**
 * The target as the router is given it. One whose escapes cannot be decoded would be refused before any hook has run;
 * here it is authenticated first, over the target as it came, and then not found, like every other path that is not
 * there.
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
