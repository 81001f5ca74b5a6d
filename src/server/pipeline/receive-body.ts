import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReceivedBody } from '../authentication/authenticator.js';
import type { HeldBytes } from './held-bytes.js';
import { HttpError } from './http-error.js';

/** Bytes of the largest body that the server takes [ours]. */
const maxBodyBytes = 1024 * 1024;

/**
 * Bytes of a body that is too large which are read all the same, to be thrown away: a client that is still writing
 * when its connection is closed never gets to read the answer.
 */
const drainedBytes = 8 * maxBodyBytes;

/** Bytes from which on a body is counted until its request is answered; smaller ones are as many as requests may be. */
const largeBytes = 16 * 1024;

const emptyBody = Buffer.alloc(0);

/**
 * Reads a body as it comes over the wire, whatever its method and content type say.
 * @throws HttpError 400 when the connection breaks before the body is complete, 503 when too many bodies are under way.
 */
export function receiveBody(response: ServerResponse, held: HeldBytes): ReceivedBody | Promise<ReceivedBody> {
  const { req: request } = response;
  const { headers } = request;
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') {
    return emptyBody;
  }
  // This client waits to be told whether to send its body at all.
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
      // It also comes after each complete body, and making an error is slow.
      if (!request.complete) reject(cutOff());
    });
  }).finally(() => {
    held.giveBack(taken);
    // The body stays as long as its request, and so does what is made of it.
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
