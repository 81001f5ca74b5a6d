import { UsageError } from '../errors.js';

/** Bytes of a body that are held in memory to sign it, unless the options say otherwise: 16 MiB. */
export const defaultMaxBodyBytes = 16 * 1024 * 1024;

const kinds = 'a string, bytes, a Blob, or a stream or another iterable of strings and bytes';

/**
 * The bytes of a request's body: at once where they are in memory, else when all of them have come.
 *
 * @param limit bytes that are gathered of a body that is not in memory
 * @throws UsageError, or rejects with it, for a body that is not made of bytes, and for one beyond the limit
 */
export function bytesOf(body: unknown, limit: number): Uint8Array | Promise<Uint8Array> {
  if (body === undefined || body === null) return new Uint8Array();
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return body;
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (body instanceof Blob) return gathered(body.stream(), limit);
  // What a form is sent as is decided when it is sent, after it would have to be signed.
  if (isIterable(body) && String(body) !== '[object FormData]') return gathered(body, limit);
  throw new UsageError(`only bytes can be signed: pass ${kinds}`);
}

async function gathered(body: Chunks, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const iterator = Symbol.asyncIterator in body ? body[Symbol.asyncIterator]() : body[Symbol.iterator]();
  try {
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      const chunk = bytesOfChunk(next.value);
      bytes += chunk.byteLength;
      if (bytes > limit) {
        throw new UsageError(`the body is larger than the ${limit} bytes that are gathered to sign it`, {
          hint: 'the option `maxBodyBytes` allows more',
        });
      }
      chunks.push(chunk);
    }
  } catch (error) {
    // Not awaited, as `for await` would: what `fetch` passes on ends only when its request does.
    Promise.resolve(iterator.return?.()).catch(() => undefined);
    throw error;
  }
  return Buffer.concat(chunks);
}

function bytesOfChunk(chunk: unknown): Uint8Array {
  if (typeof chunk === 'string') return Buffer.from(chunk);
  if (chunk instanceof Uint8Array) return chunk;
  throw new UsageError(`only bytes can be signed: pass ${kinds}`);
}

type Chunks = AsyncIterable<unknown> | Iterable<unknown>;

function isIterable(value: unknown): value is Chunks {
  return (
    typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value)
  );
}
