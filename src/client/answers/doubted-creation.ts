import type { OutcomeUnknownError } from '../../errors/errors.js';

// Not thrown, because the caller must first store the secret of the created key.
const doubts = new WeakMap<object, OutcomeUnknownError>();

export function doubtCreation(created: object, doubt: OutcomeUnknownError): void {
  doubts.set(created, doubt);
}

/** The error to throw once the secret of a created key is stored, if the service only accepted the creation (202). */
export function doubtedCreation(created: object): OutcomeUnknownError | undefined {
  return doubts.get(created);
}
