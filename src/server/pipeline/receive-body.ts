import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { ReceivedBody } from '../authentication/authenticator.js';
import type { HeldBytes } from './held-bytes.js';
import { HttpError, payloadTooLarge } from './http-error.js';

/** Bytes of the largest body that the server takes [ours]. */
export const maxBodyBytes = 1024 * 1024;

/**
 * How many bytes of a too large body are read and discarded: a client that is still writing when its connection is
 * closed never reads the answer.
 */
const drainedBytes = 8 * maxBodyBytes;

/** Larger bodies are counted until their requests are answered; the number of requests bounds smaller ones. */
const largeBytes = 16 * 1024;

const emptyBody = Buffer.alloc(0);

/**
 * Reads a raw body, whatever the method and content type.
 * @throws HttpError 400 when the connection breaks before the body is complete, 503 when too many bodies are under way.
 */
export function receiveBody(response: ServerResponse, held: HeldBytes): ReceivedBody | Promise<ReceivedBody> {
  const { req: request } = response;
  const { headers } = request;
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') {
    return emptyBody;
  }
  // The client waits for permission to send its body.
  return isTooLargeToStart(request) ? 'too large' : read(response, held);
}

function read(response: ServerResponse, held: HeldBytes): Promise<ReceivedBody> {
  const { req: request } = response;
  const chunks: Buffer[] = [];
  let length = 0;
  let taken = 0;
  return new Promise<ReceivedBody>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > drainedBytes) return resolve('too large');
      if (length > maxBodyBytes) return;
      if (!held.take(chunk.length)) return reject(tooManyBodies());
      taken += chunk.length;
      chunks.push(chunk);
    });
    request.once('end', () => resolve(length > maxBodyBytes ? 'too large' : Buffer.concat(chunks, length)));
    request.once('error', () => reject(cutOff()));
    request.once('close', () => {
      // `close` also follows each complete body, and creating an error is slow.
      if (!request.complete) reject(cutOff());
    });
  }).finally(() => {
    held.giveBack(taken);
    // The body stays in memory as long as its request, like everything made of it.
    if (request.complete && taken > largeBytes) held.insistFor(response, taken);
    // What may still come is neither kept nor read.
    request.removeAllListeners('data').pause();
  });
}

function tooManyBodies(): HttpError {
  return new HttpError(503, 'Service Unavailable', { check: 'body', headers: { connection: 'close' } });
}

/** The client is gone; this is for the log. */
function cutOff(): HttpError {
  return new HttpError(400, 'The connection broke within the body', { check: 'body' });
}

/** Whether the request announces a body that will be refused, and waits for leave to send it (RFC 9110, section 10.1.1). */
export function isTooLargeToStart({ headers }: IncomingMessage): boolean {
  return (
    headers.expect?.toLowerCase() === '100-continue' && Number(headers['content-length'] ?? 0) > maxBodyBytes
  );
}

/** Reads the body of every request in a scope before its route, after the earlier hooks. */
export function takeBodies(app: FastifyInstance, held: HeldBytes): void {
  app.decorateRequest('bytes', null);
  app.addHook('onRequest', async (request, reply) => {
    const body = await receiveBody(reply.raw, held);
    if (body === 'too large') {
      // Otherwise the rest of the body would be taken for the next request.
      reply.header('connection', 'close');
      throw payloadTooLarge();
    }
    request.bytes = body;
  });
}
