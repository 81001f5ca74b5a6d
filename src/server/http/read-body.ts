import type { IncomingMessage, ServerResponse } from 'node:http';
import { closing, HttpError, tooMuchInFlight } from './http-error.js';

/** Bytes of a request's body, and of the settings of a connection. */
export const maxBodyBytes = 64 * 1024;

/** Bytes of a body for the control API, whose stubs and replayed requests contain other bodies. */
export const maxControlBytes = 1024 * 1024;

/** Bytes of a larger body that are read and dropped: many clients read the response only after writing the body. */
const droppedBytes = 8 * 1024 * 1024;

export type ReceivedBody = Buffer | 'too large';

/** Counts bytes until the request is answered; `false` if there is no room. */
export type Hold = (bytes: number) => boolean;

export const noBytes = Buffer.alloc(0);

const continued = new WeakSet<IncomingMessage>();
const cutOff = new WeakSet<IncomingMessage>();

/**
 * A request's body; no promise if it has none.
 * @throws HttpError 400 if the connection breaks, 503 if there is no room for the body
 */
export function readBody(
  response: ServerResponse,
  maxBytes: number,
  hold: (response: ServerResponse) => Hold,
): ReceivedBody | Promise<ReceivedBody> {
  const { req: request } = response;
  if (!announcesBody(request)) return noBytes;
  if (expectsContinue(request)) {
    if (announcedBytes(request) > maxBytes) return 'too large';
    continued.add(request);
    response.writeContinue();
  }
  return receive(request, maxBytes, hold(response));
}

function receive(request: IncomingMessage, maxBytes: number, hold: Hold): Promise<ReceivedBody> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) chunks = [];
      else if (hold(chunk.length)) return void chunks.push(chunk);
      else refuse(tooMuchInFlight(closing));
      if (length > droppedBytes) end();
    };
    const end = () => {
      request.off('data', take);
      if (!request.complete) cutOff.add(request);
      resolve(length > maxBytes ? 'too large' : Buffer.concat(chunks, length));
    };
    const refuse = (error: HttpError) => {
      request.off('data', take);
      reject(error);
    };
    const lose = () =>
      refuse(new HttpError(400, 'The connection was lost before the body was complete', { check: 'body' }));
    request.on('data', take);
    request.once('end', end);
    request.once('error', lose);
    request.once('close', lose);
  });
}

export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

export function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

function expectsContinue({ headers }: IncomingMessage): boolean {
  return headers.expect !== undefined && headers.expect.toLowerCase() === '100-continue';
}

/** Whether the next bytes of the connection may belong to this request's body. */
export function isUnclear(request: IncomingMessage): boolean {
  return (expectsContinue(request) && !continued.has(request)) || cutOff.has(request);
}
