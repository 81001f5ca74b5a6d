import type { FastifyInstance } from 'fastify';
import type { HeldBytes } from './held-bytes.js';
import { payloadTooLarge } from './http-error.js';
import { receiveBody } from './receive-body.js';

/** Has every request of a scope read its body before its route, once the hooks before have let it pass. */
export function takeBodies(app: FastifyInstance, held: HeldBytes): void {
  app.decorateRequest('bytes', null);
  app.addHook('onRequest', async (request, reply) => {
    const body = await receiveBody(reply.raw, held);
    if (body === 'too large') {
      // The rest of such a body would be taken for the next request.
      reply.header('connection', 'close');
      throw payloadTooLarge();
    }
    request.bytes = body;
  });
}
