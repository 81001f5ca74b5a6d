import { OutcomeUnknownError, ServiceError } from '../../errors/errors.js';

/**
 * The disk or the database fails, such as a full disk or a restarting database. The write was not acknowledged, and
 * everything acknowledged before is safe.
 */
export class StoreUnavailable extends ServiceError {
  readonly place: string;

  constructor(place: string, reason: string, { cause }: ErrorOptions = {}) {
    super('server', `the data in ${place} cannot be read or written: ${reason}`, { status: 503, cause });
    this.place = place;
  }
}

/** Waiting does not help, either: somebody has to restore the data. */
export class StoreBroken extends StoreUnavailable {}

/**
 * The answer to a commit was lost, and only the data can tell whether it was done. `transact` checks that, and throws
 * this only if nothing was done.
 */
export class CommitUnconfirmed extends StoreUnavailable {
  constructor(place: string, cause: Error) {
    super(place, 'the answer to a commit was lost', { cause });
  }
}

/** The answer to a commit was lost, and the data does not tell either whether it was done. */
export class OutcomeUnknown extends OutcomeUnknownError {
  constructor(place: string, cause: Error) {
    super(`whether a change to the data in ${place} was made is not known: ${cause.message}`, { cause });
  }
}
