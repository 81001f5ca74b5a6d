import { decodeContent } from '../client/exchange/exchange.js';
import { findValues, type RawHeaders } from './headers.js';

export interface KeptBody {
  /** Empty unless `isWhole`. */
  readonly bytes: Buffer;
  /** Bytes of the body that passed, copied or not. */
  readonly length: number;
  /** Whether `bytes` contains all of these. */
  readonly isWhole: boolean;
}

/** A copy of a whole body, or nothing: observers have no use for a part. */
export class BodyCopy {
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #length = 0;

  /** @param limit maximum bytes of a body to copy */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length <= this.#limit) this.#chunks.push(chunk);
    else this.#chunks = [];
  }

  read(): KeptBody {
    const isWhole = this.#length <= this.#limit;
    return { bytes: Buffer.concat(this.#chunks), length: this.#length, isWhole };
  }
}

/** Maximum bytes of a decoded body. */
const maxDecoded = 4 * 1024 * 1024;

/** Undoes `Content-Encoding`; `undefined` if the body is too large, broken, or in an unsupported coding. */
export function decodeBody(bytes: Buffer, headers: RawHeaders): Buffer | undefined {
  const [coding, ...others] = findValues(headers, 'content-encoding');
  return others.length === 0 ? decodeContent(bytes, coding, maxDecoded) : undefined;
}
