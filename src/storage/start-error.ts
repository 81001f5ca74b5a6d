import { ConfigError } from '../errors.js';
import type { Engine } from './engine.js';
import { OutcomeUnknown, StoreUnavailable } from './store-unavailable.js';

/** An error of the data, as it is told to who starts something with it: what refuses a request keeps all from starting. */
export function startError(error: unknown, { hint }: Pick<Engine, 'hint'>): unknown {
  const isOfData = error instanceof StoreUnavailable || error instanceof OutcomeUnknown;
  return isOfData ? new ConfigError(error.message, { hint, cause: error }) : error;
}
