import { UsageError } from '../../errors/errors.js';

export const defaultMaxBodyBytes = 16 * 1024 * 1024;

const notBytes = () =>
  new UsageError(
    'only bytes can be signed: pass a string, bytes, a Blob, or a stream or another iterable of strings and bytes',
  );

/**
 * A body's bytes; a promise of them for a stream, a Blob or another iterable.
 * @param limit maximum bytes to gather
 * @throws UsageError for a body that is not bytes; the promise also rejects for one over the limit
 */
export function readBytes(body: unknown, limit: number): Uint8Array | Promise<Uint8Array> {
  if (body === undefined || body === null) return new Uint8Array();
  if (typeof body === 'string') return Buffer.from(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (body instanceof Blob) return gatherBytes(body.stream(), limit);
  // A form is encoded while it is sent, too late to sign it.
  if (typeof body === 'object' && isIterable(body) && String(body) !== '[object FormData]')
    return gatherBytes(body, limit);
  throw notBytes();
}

async function gatherBytes(body: Chunks, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const iterator = Symbol.asyncIterator in body ? body[Symbol.asyncIterator]() : body[Symbol.iterator]();
  try {
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      const chunk: unknown = typeof next.value === 'string' ? Buffer.from(next.value) : next.value;
      if (!(chunk instanceof Uint8Array)) throw notBytes();
      bytes += chunk.byteLength;
      if (bytes > limit) {
        throw new UsageError(`the body is larger than the ${limit} bytes that can be buffered for signing`, {
          hint: 'to allow more, raise `maxBodyBytes`',
        });
      }
      chunks.push(chunk);
    }
  } catch (error) {
    // Not awaited: a stream from `fetch` ends only when the request ends.
    Promise.resolve(iterator.return?.()).catch(() => undefined);
    throw error;
  }
  return Buffer.concat(chunks);
}

type Chunks = AsyncIterable<unknown> | Iterable<unknown>;

function isIterable(value: object): value is Chunks {
  return Symbol.asyncIterator in value || Symbol.iterator in value;
}
