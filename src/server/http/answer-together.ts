import type { onSendHookHandler } from 'fastify';

/**
 * The hook that has the answers to all requests of one turn of the event loop written one after the other, at its end.
 *
 * Writing to a client that sleeps wakes it, and on one machine it is the server that pays for that: when other work
 * comes between two writes, the client has fallen asleep again at each of them. A lone request is answered about 15 µs
 * later for it (docs/performance.md).
 */
export const answerTogether: onSendHookHandler = (_request, _reply, _payload, done) => {
  setImmediate(done);
};
