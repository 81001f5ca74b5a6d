/**
 * The disk or the database does not do its part, such as a disk that is full. What was to be written was not
 * acknowledged, and what was acknowledged before is kept.
 */
export class StoreUnavailable extends Error {
  constructor(place: string, reason: string, options?: ErrorOptions) {
    super(`the data in ${place} cannot be read or written: ${reason}`, options);
    this.name = 'StoreUnavailable';
  }
}
