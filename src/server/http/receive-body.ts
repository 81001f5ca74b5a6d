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
import type { ByteBudget } from './byte-budget.js';
import { HttpError, payloadTooLarge } from './http-error.js';

const emptyBody = Buffer.alloc(0);

const continued = new WeakSet<IncomingMessage>();

/** Reads now, because Node stops receiving if data is not read. `undefined` without a body, or before 100 Continue. */
export function beginReading(response: ServerResponse, options: ReadingOptions): BodyReading | undefined {
  const { req: request } = response;
  return announcesBody(request) && !expectsContinue(request) ? new BodyReading(response, options) : undefined;
}

/** @throws HttpError 400 if the connection breaks, 503 if there is no room for the body */
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

const glimpsedBytes = 16 * 1024;

/** Milliseconds; a small body usually arrives together with the headers. */
const glimpse = 250;

/** Reads a small body that arrives immediately, for the log and the journal, if the headers caused a refusal. */
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
    // The request is already refused because of its headers; an error in its body does not matter.
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

export function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

/** Whether the client awaits 100 Continue; if refused, the client may leave out the body. */
export function awaitsContinue(request: IncomingMessage): boolean {
  return expectsContinue(request) && !continued.has(request);
}

function expectsContinue({ headers }: IncomingMessage): boolean {
  return headers.expect !== undefined && headers.expect.toLowerCase() === '100-continue';
}

const discarded = new WeakMap<Socket, IncomingMessage>();

/** Data arriving at a closed connection would reset it before the client reads the response. */
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

function closeWhenDiscarded(socket: Socket): void {
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    const request = discarded.get(socket);
    if (request === undefined || request.complete) return destroySoon();
    socket.end();
    request.once('end', destroySoon);
  };
}

export function takeBodies(app: FastifyInstance, held: ByteBudget): void {
  app.decorateRequest('bytes', null);
  app.addHook('onRequest', async (request, reply) => {
    const body = await receiveBody(reply.raw, { held });
    if (body === 'too large') {
      reply.header('connection', 'close');
      throw payloadTooLarge();
    }
    request.bytes = body;
  });
}
