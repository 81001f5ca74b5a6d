import { ConfigError, messageOf, systemCodeOf } from '../errors.js';
import type { Engine } from './engine.js';
import { OutcomeUnknown, StoreUnavailable } from './store-unavailable.js';

/** An error of the data, as it is told to who starts something with it: what refuses a request keeps all from starting. */
export function startError(error: unknown, { hint }: Pick<Engine, 'hint'>): unknown {
  if (error instanceof StoreUnavailable || error instanceof OutcomeUnknown) {
    return new ConfigError(error.message, { hint, cause: error });
  }
  // What the embedded database refuses of our own queries: it is not what it was.
  if (!systemCodeOf(error)?.startsWith('SQLITE_')) return error;
  return new ConfigError(`the data cannot be used: ${messageOf(error)}`, { hint, cause: error });
}
