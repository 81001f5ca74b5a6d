import type { Method } from '../client/exchange/request.js';
import { UsageError } from '../errors/errors.js';
import { isOriginForm } from '../text/base-url.js';

export const methods: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Parses a method in upper or lower case. @throws UsageError for an unknown method */
export function parseMethod(text: string): Method {
  const method = methods.find((known) => known === text.toUpperCase());
  if (method !== undefined) return method;
  throw new UsageError(`${JSON.stringify(text)} is not a method`, { hint: `one of ${methods.join(', ')}` });
}

/** @throws UsageError for a target that cannot be sent byte for byte */
export function parseTarget(target: string): string {
  if (isOriginForm(target)) return target;
  throw new UsageError(`${JSON.stringify(target)} is not a path below the base URL`, {
    hint: /^[A-Za-z]:[\\/]/.test(target)
      ? 'Git Bash has put the path of a drive before it; to prevent that: export MSYS_NO_PATHCONV=1'
      : 'start it with one slash, and percent-encode spaces, control and non-ASCII characters: /connections?limit=5',
  });
}
