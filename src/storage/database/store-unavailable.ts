import { OutcomeUnknownError, ServiceError } from '../../errors/errors.js';

/** The disk or the database failed (full, restarting). The write was not acknowledged; all acknowledged writes are safe. */
export class StoreUnavailable extends ServiceError {
  readonly place: string;

  constructor(place: string, reason: string, { cause }: ErrorOptions = {}) {
    super('server', `the data in ${place} cannot be read or written: ${reason}`, { status: 503, cause });
    this.place = place;
  }
}

/** Permanent: somebody has to restore the data. */
export class StoreBroken extends StoreUnavailable {}

/** The response to a commit was lost. `transact` checks the data and throws this only if nothing was done. */
export class CommitUnconfirmed extends StoreUnavailable {
  constructor(place: string, cause: Error) {
    super(place, 'the response to a commit was lost', { cause });
  }
}

/** The response to a commit was lost, and the data does not show whether it was done. */
export class OutcomeUnknown extends OutcomeUnknownError {
  constructor(place: string, cause: Error) {
    super(`a change to the data in ${place} may or may not have been made: ${cause.message}`, { cause });
  }
}
