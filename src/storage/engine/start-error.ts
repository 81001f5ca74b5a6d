import { ConfigError, readMessage, readSystemCode } from '../../errors/errors.js';
import { OutcomeUnknown, StoreUnavailable } from '../database/store-unavailable.js';
import type { Engine } from './engine.js';

/** An error of the data, as whoever starts a server is told of it: what refuses a request at run time prevents the start. */
export function startError(error: unknown, { hint }: Pick<Engine, 'hint'>): unknown {
  if (error instanceof StoreUnavailable || error instanceof OutcomeUnknown) {
    return new ConfigError(error.message, { hint, cause: error });
  }
  // What the embedded database refuses of our own queries: it is not what it was.
  if (!readSystemCode(error)?.startsWith('SQLITE_')) return error;
  return new ConfigError(`the data cannot be used: ${readMessage(error)}`, { hint, cause: error });
}
