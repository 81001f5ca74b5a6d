import type { OnReadOpts } from 'node:net';
import type { Readable } from 'node:stream';

/** Maximum bytes of one read. By default, Node.js allocates 64 KiB for each read, however little arrives. */
const readSize = 16_384;

/** Options for sockets that may hold much unread data, to read and buffer less at once. */
export interface SmallReads {
  readonly highWaterMark: number;
  readonly onread: OnReadOpts;
}

export function makeSmallReads(): SmallReads {
  // Sockets can share this buffer, because each read is copied before the next.
  const buffer = Buffer.allocUnsafeSlow(readSize);
  return { highWaterMark: readSize, onread: { buffer, callback: pushCopy } };
}

/** @returns whether the socket should read more. Node.js calls this function as a method of the socket. */
function pushCopy(this: Pick<Readable, 'push'>, length: number, buffer: Uint8Array): boolean {
  return this.push(Buffer.from(buffer.subarray(0, length)));
}
