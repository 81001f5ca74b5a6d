import type { Dialect } from '../../api/dialect/dialect.js';
import { isServiceTarget, ownTargets, type Targets } from '../http/url-space.js';

const ends: readonly string[] = ['', '/', '?', '#'];

/** A target that is authenticated like any other, and then not found. */
const nowhere = '/';

/** Targets below a base path. The server's own paths stay where they are. */
export function targetsBelow({
  basePath,
  signedBasePath,
}: Pick<Dialect, 'basePath' | 'signedBasePath'>): Targets {
  if (basePath === '') return ownTargets;
  const rest = (target: string): string | undefined => {
    if (!target.startsWith(basePath) || !ends.includes(target.charAt(basePath.length))) return undefined;
    const local = target.slice(basePath.length);
    return local.startsWith('/') ? local : `/${local}`;
  };
  return {
    toLocal(target) {
      if (!isServiceTarget(target)) return target;
      const local = rest(target);
      return local !== undefined && isServiceTarget(local) ? local : nowhere;
    },
    toSigned: signedBasePath ? ownTargets.toSigned : (target) => rest(target) ?? target,
  };
}
