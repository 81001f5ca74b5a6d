import { controlPath } from '../../api/control/calls.js';
import { readPath } from '../../text/base-url.js';

export interface Targets {
  toLocal(target: string): string;
  /** The target that signatures cover. */
  toSigned(target: string): string;
}

export const ownTargets: Targets = { toLocal: (target) => target, toSigned: (target) => target };

export const ownPath = { control: controlPath, health: '/healthz' } as const;

const isOwn = new RegExp(`^(?:${Object.values(ownPath).join('|')})(?:/|$)`, 'i');

/** Whether a target belongs to the service. The server's own paths do not, however they are spelled. */
export function isServiceTarget(target: string): boolean {
  const slashes = `/${readPath(target)}`.replaceAll(/[\\/]+/g, '/');
  return !isOwn.test(new URL(`http://a${slashes}`).pathname);
}

export interface Route<Target> {
  readonly method: string;
  /** Such as `/teams/{id}`. */
  readonly path: string;
  readonly target: Target;
}

export interface FoundRoute<Target> {
  readonly target: Target;
  /** The part of the path for `{id}`, or for another name; empty if the route has none. */
  readonly id: string;
}

/** Finds routes by method and decoded path without a query. A path without `{id}` takes precedence. */
export function routeFinder<Target>(routes: readonly Route<Target>[]) {
  const plain = new Map<string, FoundRoute<Target>>();
  const withId: { readonly method: string; readonly pattern: RegExp; readonly target: Target }[] = [];
  for (const { method, path, target } of routes) {
    const [before = '', after] = path.split(/\{\w+\}/);
    if (after === undefined) plain.set(`${method} ${path}`, { target, id: '' });
    else withId.push({ method, target, pattern: new RegExp(`^${before}([^/]+)${after}$`) });
  }
  return (method: string, path: string): FoundRoute<Target> | undefined => {
    const found = plain.get(`${method} ${path}`);
    if (found !== undefined) return found;
    const route = withId.find((one) => one.method === method && one.pattern.test(path));
    return route && { target: route.target, id: route.pattern.exec(path)?.[1] ?? '' };
  };
}
