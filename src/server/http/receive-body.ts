import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import {
  BodyReading,
  drainedBytes,
  maxBodyBytes,
  type ReadingOptions,
  type ReceivedBody,
} from './body-reading.js';
import type { HeldBytes } from './held-bytes.js';
import { HttpError, payloadTooLarge } from './http-error.js';

const emptyBody = Buffer.alloc(0);

/** Requests whose clients were given leave to send their bodies (RFC 9110, section 10.1.1). */
const continued = new WeakSet<IncomingMessage>();

/**
 * Begins to read a raw body, whatever the method and content type; not one whose client waits for leave to send it. To
 * be called at once: Node stops reading a connection whose body nobody takes.
 */
export function beginReading(response: ServerResponse, options: ReadingOptions): BodyReading | undefined {
  const { req: request } = response;
  return announcesBody(request) && !expectsContinue(request) ? new BodyReading(response, options) : undefined;
}

/**
 * Receives the body of a request, of which `reading` is what `beginReading` returned.
 * @throws HttpError 400 when the connection breaks before the body is complete, 503 when too many bodies are under way.
 */
export function receiveBody(
  response: ServerResponse,
  options: ReadingOptions,
  reading = beginReading(response, options),
): ReceivedBody | Promise<ReceivedBody> {
  const { req: request } = response;
  if (reading !== undefined) return reading.body;
  if (!announcesBody(request)) return emptyBody;
  if (announcedBytes(request) > maxBodyBytes) return 'too large';
  continued.add(request);
  response.writeContinue();
  return new BodyReading(response, options).body;
}

/** Bodies up to this size are worth a look when their requests are refused: log and journal show no more of them. */
const glimpsedBytes = 16 * 1024;

/** Milliseconds for such a body: it usually comes with the head, and at the latest a round trip later. */
const glimpse = 250;

/**
 * The body of a request that is refused by its head, for log and journal: if it is small, and there in a moment.
 * `undefined` for any other, which nobody waits for.
 */
export async function glimpseBody(
  request: IncomingMessage,
  reading: BodyReading | undefined,
): Promise<Buffer | undefined> {
  if (reading === undefined) return announcesBody(request) ? undefined : emptyBody;
  reading.giveUpAfter(announcedBytes(request) > glimpsedBytes ? 0 : glimpse);
  try {
    const body = await reading.body;
    return body === 'too large' ? undefined : body;
  } catch (error) {
    // Too late, too much, or broken off: the refusal is the same.
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

/** Whether a request has a body. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** The length of a body as its head has it; 0 where that has none. */
export function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

/** Whether a client still waits for leave to send its body, so that it will not come. */
export function awaitsContinue(request: IncomingMessage): boolean {
  return expectsContinue(request) && !continued.has(request);
}

function expectsContinue({ headers }: IncomingMessage): boolean {
  return headers.expect !== undefined && headers.expect.toLowerCase() === '100-continue';
}

/** The request of each connection whose body was discarded last. */
const discarded = new WeakMap<Socket, IncomingMessage>();

/**
 * To be called before a request is answered whose body is not there yet: reads the rest of it and throws it away. Data
 * that arrives at a closed connection would reset it, and the client would not read the answer.
 */
export function discardRest({ req: request }: ServerResponse): void {
  const { socket } = request;
  let left = drainedBytes;
  request
    .on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) socket.destroy();
    })
    .resume();
  if (!discarded.has(socket)) closeWhenDiscarded(socket);
  discarded.set(socket, request);
}

/** Has Node, after the last answer of a connection, close it only when the rest of a body is there. */
function closeWhenDiscarded(socket: Socket): void {
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    const request = discarded.get(socket);
    if (request === undefined || request.complete) return destroySoon();
    socket.end();
    request.once('end', destroySoon);
  };
}

/** Reads the body of every request in a scope before its route, after the earlier hooks. */
export function takeBodies(app: FastifyInstance, held: HeldBytes): void {
  app.decorateRequest('bytes', null);
  app.addHook('onRequest', async (request, reply) => {
    const body = await receiveBody(reply.raw, { held });
    if (body === 'too large') {
      // Otherwise the rest of the body would be taken for the next request.
      reply.header('connection', 'close');
      throw payloadTooLarge();
    }
    request.bytes = body;
  });
}
