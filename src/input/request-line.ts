import type { Method } from '../client/exchange/request.js';
import { UsageError } from '../errors/errors.js';
import { isOriginForm } from '../text/base-url.js';

/** The reference (section 4) has GET, POST, PATCH and DELETE. */
export const methods: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Takes any case. @throws UsageError for any other word */
export function parseMethod(text: string): Method {
  const method = methods.find((known) => known === text.toUpperCase());
  if (method !== undefined) return method;
  throw new UsageError(`${JSON.stringify(text)} is not a method`, { hint: `one of ${methods.join(', ')}` });
}

/** @throws UsageError for a target that cannot go out byte for byte as typed */
export function parseTarget(target: string): string {
  if (isOriginForm(target)) return target;
  throw new UsageError(`${JSON.stringify(target)} is not a path below the base URL`, {
    hint: 'it starts with one slash; spaces, control and non-ASCII characters are percent-encoded: /connections?limit=5',
  });
}
