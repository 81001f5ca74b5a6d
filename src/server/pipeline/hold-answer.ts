import type { onSendHookHandler } from 'fastify';
import type { HeldBytes } from './held-bytes.js';
import { HttpError } from './http-error.js';

/** Bytes up to which an answer is not counted: there are no more of them than requests. */
const smallBytes = 16 * 1024;

/** An answer that waits is there as text, and as the bytes that the system has not taken. */
const copies = 2;

/** The hook that counts large answers as long as they are not out, and refuses the one too many. */
export function holdAnswer(held: HeldBytes): onSendHookHandler {
  return ({ method }, { raw }, payload, done) => {
    if (typeof payload !== 'string' || payload.length <= smallBytes) return done();
    const bytes = copies * payload.length;
    if (method === 'GET' && !held.takeFor(raw, bytes)) return done(tooMuchHeld());
    // What was changed is changed, and its answer says so. Changes are refused before, when there is no room.
    if (method !== 'GET') held.insistFor(raw, bytes);
    done();
  };
}

/** Nothing was done, and there will be room as soon as others have taken their answers. */
export function tooMuchHeld(): HttpError {
  return new HttpError(503, 'Service Unavailable', {
    check: 'request',
    explain: () => ({ reason: 'too many large bodies and answers are under way' }),
    headers: { 'retry-after': '1' },
  });
}
