import type { onSendHookHandler } from 'fastify';

/** Each write wakes a client (docs/contributing/performance.md). Delays a lone response by about 15 µs. */
export const answerTogether: onSendHookHandler = (_request, _reply, _payload, done) => {
  setImmediate(done);
};
