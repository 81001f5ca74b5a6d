import type { SigningAttempt, SigningMistake } from './signing-attempt.js';

/** The one mistake about the timestamp; apart, because it takes a thousand attempts. */
export const timestampMistake: SigningMistake = {
  id: 'milliseconds',
  description: 'over a timestamp in milliseconds',
  reproduce: milliseconds,
};

/** Bodies over this size are tried with whole seconds alone: each attempt hashes the body. */
const fewBytes = 4096;

/** The moment within the second was not sent, so all thousand are tried; or milliseconds were both sent and signed. */
function* milliseconds(right: SigningAttempt): Iterable<SigningAttempt> {
  const { timestamp } = right;
  if (/^\d{13,}$/.test(timestamp)) {
    yield right;
    yield { ...right, timestamp: timestamp.slice(0, -3) };
    return;
  }
  const tries = right.body.byteLength > fewBytes ? 1 : 1000;
  for (let moment = 0; moment < tries; moment += 1) {
    yield { ...right, timestamp: `${timestamp}${String(moment).padStart(3, '0')}` };
  }
}
