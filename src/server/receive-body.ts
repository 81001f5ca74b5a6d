import type { IncomingMessage } from 'node:http';
import type { ReceivedBody } from './authentication/received-request.js';
import { HttpError } from './http-error.js';

/** Bytes of the largest body that the server takes [ours]. */
const maxBodyBytes = 1024 * 1024;

/**
 * Bytes of a body that is too large which are read all the same, to be thrown away: a client that is still writing
 * when its connection is closed never gets to read the answer.
 */
const drainedBytes = 8 * maxBodyBytes;

/**
 * Bytes of unfinished bodies that are held at once, in the whole process: a signature can only be checked over the
 * whole body, so whoever sends one may be nobody.
 */
const maxHeldBytes = 64 * maxBodyBytes;
let heldBytes = 0;

const emptyBody = Buffer.alloc(0);

/**
 * Reads a body as it comes over the wire, whatever its method and content type say.
 * @throws HttpError 400 when the connection breaks before the body is complete, 503 when too many bodies are under way.
 */
export function receiveBody(request: IncomingMessage): ReceivedBody | Promise<ReceivedBody> {
  const { headers } = request;
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') {
    return emptyBody;
  }
  // This client waits to be told whether to send its body at all.
  return isTooLargeToStart(request) ? 'too large' : read(request);
}

function read(request: IncomingMessage): Promise<ReceivedBody> {
  const chunks: Buffer[] = [];
  let length = 0;
  let held = 0;
  return new Promise<ReceivedBody>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > drainedBytes) return resolve('too large');
      if (length > maxBodyBytes) return;
      held += chunk.length;
      heldBytes += chunk.length;
      if (heldBytes > maxHeldBytes) return reject(tooManyBodies());
      chunks.push(chunk);
    });
    request.once('end', () => resolve(length > maxBodyBytes ? 'too large' : Buffer.concat(chunks, length)));
    request.once('error', () => reject(cutOff()));
    request.once('close', () => {
      // It comes after each whole body too, and an error takes its time to make.
      if (!request.complete) reject(cutOff());
    });
  }).finally(() => {
    heldBytes -= held;
    // What may still come is neither kept nor read.
    request.removeAllListeners('data').pause();
  });
}

function tooManyBodies(): HttpError {
  return new HttpError(503, 'Service Unavailable', { check: 'body', headers: { connection: 'close' } });
}

/** Nobody is left to read this; it is for the log. */
function cutOff(): HttpError {
  return new HttpError(400, 'The connection broke within the body', { check: 'body' });
}

/** Whether the request announces a body that will be refused, and waits for leave to send it (RFC 9110, section 10.1.1). */
export function isTooLargeToStart({ headers }: IncomingMessage): boolean {
  return (
    headers.expect?.toLowerCase() === '100-continue' && Number(headers['content-length'] ?? 0) > maxBodyBytes
  );
}
