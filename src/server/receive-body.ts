import type { IncomingMessage } from 'node:http';
import type { ReceivedBody } from './authentication/received-request.js';

/** Bytes of the largest body that the server takes [ours]. */
const maxBodyBytes = 1024 * 1024;

/**
 * Bytes of a body that is too large which are read all the same, to be thrown away: a client that is still writing
 * when its connection is closed never gets to read the answer.
 */
const drainedBytes = 8 * maxBodyBytes;

const emptyBody = Buffer.alloc(0);

/**
 * Reads a body as it comes over the wire, whatever its method and content type say.
 * @throws Error when the connection breaks before the body is complete.
 */
export function receiveBody(request: IncomingMessage): ReceivedBody | Promise<ReceivedBody> {
  const { headers } = request;
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') {
    return emptyBody;
  }
  // This client waits to be told whether to send its body at all.
  return isTooLargeToStart(request) ? 'too large' : read(request);
}

async function read(request: IncomingMessage): Promise<ReceivedBody> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > drainedBytes) return 'too large';
    if (length <= maxBodyBytes) chunks.push(chunk);
  }
  return length > maxBodyBytes ? 'too large' : Buffer.concat(chunks, length);
}

/** Whether the request announces a body that will be refused, and waits for leave to send it (RFC 9110, section 10.1.1). */
export function isTooLargeToStart({ headers }: IncomingMessage): boolean {
  return (
    headers.expect?.toLowerCase() === '100-continue' && Number(headers['content-length'] ?? 0) > maxBodyBytes
  );
}
