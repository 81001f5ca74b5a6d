import { OutcomeUnknownError, ServiceError } from '../../errors/errors.js';

/** The data cannot be used, for example because the disk is full. A write refused with this error changed nothing. */
export class StoreUnavailable extends ServiceError {
  readonly place: string;

  constructor(place: string, reason: string, { cause }: ErrorOptions = {}) {
    super('server', `the data in ${place} cannot be read or written: ${reason}`, { status: 503, cause });
    this.place = place;
  }
}

/** A failure that does not go away by itself: someone has to restore the data or restart the server. */
export class StoreBroken extends StoreUnavailable {}

/** The connection to the database broke during a query: a change may have been made if the query could commit it. */
export class ConnectionLost extends StoreUnavailable {}

/** It is unknown whether a write took effect, because the response to its commit was lost. */
export class OutcomeUnknown extends OutcomeUnknownError {
  constructor(place: string, cause: Error) {
    super(`a change to the data in ${place} may or may not have been made: ${cause.message}`, { cause });
  }
}
