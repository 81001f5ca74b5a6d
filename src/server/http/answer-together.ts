import type { onSendHookHandler } from 'fastify';

/**
 * Each write wakes a client, so groups them (docs/contributing/performance.md). Delays a single response by about 15
 * µs.
 */
export const answerTogether: onSendHookHandler = (_request, _reply, _payload, done) => {
  setImmediate(done);
};
