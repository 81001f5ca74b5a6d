import type { OnReadOpts } from 'node:net';
import type { Readable } from 'node:stream';

/** Bytes of one read. Node.js allocates 64 KiB for each, however little arrives. */
const readSize = 16_384;

/** Options of a socket that may have much unread data: it reads and buffers less at once. */
export interface SmallReads {
  readonly highWaterMark: number;
  readonly onread: OnReadOpts;
}

export function makeSmallReads(): SmallReads {
  // Sockets share it, because each read is copied before the next.
  const buffer = Buffer.allocUnsafeSlow(readSize);
  return { highWaterMark: readSize, onread: { buffer, callback: pushCopy } };
}

/** @returns whether the socket reads more. Node.js calls it as a method of the socket. */
function pushCopy(this: Pick<Readable, 'push'>, length: number, buffer: Uint8Array): boolean {
  return this.push(Buffer.from(buffer.subarray(0, length)));
}
