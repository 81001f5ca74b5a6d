import type { FastifyReply, onSendHookHandler } from 'fastify';
import type { Faults } from './faults.js';

/**
 * The hook that spoils the answer of a request that was done: instead of it the connection is cut, or cut in the middle
 * of its body. An answer without a body has none to cut off and goes out whole.
 */
export function spoilAnswer(faults: Faults): onSendHookHandler {
  return (request, reply, payload, done) => {
    const kind = faults.pendingFor(request.raw)?.effect?.kind;
    if (kind === 'drop-answer') {
      // Without `done` nothing more happens to this answer.
      reply.raw.destroy();
    } else if (kind === 'truncate' && typeof payload === 'string' && payload !== '') {
      sendHalf(reply, Buffer.from(payload));
    } else {
      done();
    }
  };
}

function sendHalf(reply: FastifyReply, body: Buffer): void {
  const { raw } = reply;
  const half = body.subarray(0, Math.floor(body.byteLength / 2));
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.writeHead(reply.statusCode, { 'content-length': body.byteLength });
  raw.write(half, () => raw.destroy());
}
