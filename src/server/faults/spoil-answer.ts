import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
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
    } else if (kind === 'truncate' && payload instanceof Readable) {
      done(null, Readable.from(beginningOf(payload, reply.raw), { objectMode: false }));
    } else {
      done();
    }
  };
}

/** What a streamed answer begins with; then its connection is cut. */
async function* beginningOf(payload: Readable, raw: ServerResponse): AsyncGenerator<unknown> {
  for await (const chunk of payload) {
    yield chunk;
    // What was given out is written by then.
    await setImmediate();
    raw.destroy();
    return;
  }
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
