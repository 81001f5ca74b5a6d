import type { onSendHookHandler } from 'fastify';

/** Writes the responses of a turn of the event loop together at its end, because each write wakes a client. */
export const answerTogether: onSendHookHandler = (_request, _reply, _payload, done) => {
  setImmediate(done);
};
