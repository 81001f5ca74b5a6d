import type { Method } from '../client/exchange/request.js';
import { UsageError } from '../errors/errors.js';
import { isOriginForm } from '../text/base-url.js';

/** The methods that a request can be made with; the reference (section 4) has GET, POST, PATCH and DELETE. */
export const methods: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** A method as it goes on the request line, typed in any case. @throws UsageError for any other word */
export function parseMethod(text: string): Method {
  const method = methods.find((known) => known === text.toUpperCase());
  if (method !== undefined) return method;
  throw new UsageError(`${JSON.stringify(text)} is not a method`, { hint: `one of ${methods.join(', ')}` });
}

/** A target as it goes on the request line. @throws UsageError for a target that cannot go out byte for byte as typed (contract, section 1) */
export function parseTarget(target: string): string {
  if (isOriginForm(target)) return target;
  throw new UsageError(`${JSON.stringify(target)} is not a path below the base URL`, {
    hint: 'it starts with one slash; spaces, control and non-ASCII characters are percent-encoded: /connections?limit=5',
  });
}
