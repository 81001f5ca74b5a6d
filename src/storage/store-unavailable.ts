import { OutcomeUnknownError, ServiceError } from '../errors.js';

/**
 * The disk or the database does not do its part, such as a disk that is full or a database that restarts. What was to
 * be written was not acknowledged, and what was acknowledged before is kept.
 */
export class StoreUnavailable extends ServiceError {
  readonly place: string;

  constructor(place: string, reason: string, { cause }: ErrorOptions = {}) {
    super('server', `the data in ${place} cannot be read or written: ${reason}`, { status: 503, cause });
    this.place = place;
  }
}

/** As that, and waiting does not help: somebody has to put the data back. */
export class StoreBroken extends StoreUnavailable {}

/**
 * The answer to a commit was lost: it seems to be done, and only the data itself tells for sure. `transact` asks it, and
 * lets this pass only when nothing was done.
 */
export class CommitUnconfirmed extends StoreUnavailable {
  constructor(place: string, cause: Error) {
    super(place, 'the answer to a commit was lost', { cause });
  }
}

/** The answer to a commit was lost, and the data does not tell either: what was written may be there or not. */
export class OutcomeUnknown extends OutcomeUnknownError {
  constructor(place: string, cause: Error) {
    super(`whether a change to the data in ${place} was made is not known: ${cause.message}`, { cause });
  }
}
