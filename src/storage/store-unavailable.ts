/**
 * The disk or the database does not do its part, such as a disk that is full or a database that restarts. What was to
 * be written was not acknowledged, and what was acknowledged before is kept.
 */
export class StoreUnavailable extends Error {
  constructor(place: string, reason: string, options?: ErrorOptions) {
    super(`the data in ${place} cannot be read or written: ${reason}`, options);
    this.name = 'StoreUnavailable';
  }
}

/** The answer to a commit was lost, and the database could not be asked since: what was written may be there or not. */
export class OutcomeUnknown extends Error {
  constructor(place: string, cause: Error) {
    super(`whether a change to the data in ${place} was made is not known: ${cause.message}`, { cause });
    this.name = 'OutcomeUnknown';
  }
}
