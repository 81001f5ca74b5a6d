import type { onSendHookHandler } from 'fastify';

/** Writes all responses of one event-loop turn together at its end, because each write wakes a client. */
export const answerTogether: onSendHookHandler = (_request, _reply, _payload, done) => {
  setImmediate(done);
};
