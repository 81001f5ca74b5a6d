import { UsageError } from '../../errors/errors.js';

/** Once the server is closed, makes the named calls reject with our error instead of the database driver's. */
export function requireOpen<Calls extends object>(
  calls: Calls,
  isClosed: () => boolean,
  names: readonly PropertyKey[] = Object.keys(calls),
): Calls {
  return new Proxy(calls, {
    get: (target, name) => (isClosed() && names.includes(name) ? refuseClosed : Reflect.get(target, name)),
  });
}

async function refuseClosed(): Promise<never> {
  throw new UsageError('this server is closed', { hint: 'start another with startServer()' });
}
