import { ConfigError, readMessage, readSystemCode } from '../../errors/errors.js';
import { OutcomeUnknown, StoreUnavailable } from '../database/store-unavailable.js';
import type { Engine } from './engine.js';

/** Turns errors that would fail only one request at run time into errors that prevent the start. */
export function startError(error: unknown, { hint }: Pick<Engine, 'hint'>): unknown {
  if (error instanceof StoreUnavailable || error instanceof OutcomeUnknown) {
    return new ConfigError(error.message, { hint, cause: error });
  }
  // If SQLite refuses a query of ours, the database is probably damaged.
  if (!readSystemCode(error)?.startsWith('SQLITE_')) return error;
  return new ConfigError(`the data cannot be opened: ${readMessage(error)}`, { hint, cause: error });
}
