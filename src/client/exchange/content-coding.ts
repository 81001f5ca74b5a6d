import { brotliDecompressSync, constants, unzipSync } from 'node:zlib';
import { readSystemCode } from '../../errors/errors.js';

type Decode = (bytes: Buffer, maxOutputLength: number) => Buffer;

// Both accept truncated input, such as a response that was cut off: incomplete JSON is detected later.
const unzip: Decode = (bytes, maxOutputLength) =>
  unzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength });
const unbrotli: Decode = (bytes, maxOutputLength) =>
  brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH, maxOutputLength });

const decoders = new Map([
  ['gzip', unzip],
  ['deflate', unzip],
  ['br', unbrotli],
]);

export class DecodedTooLargeError extends Error {}

/**
 * The decoded body; `undefined` if the bytes are broken, or the coding is not supported.
 * @param maxBytes limit of the decoded body
 * @throws DecodedTooLargeError
 */
export function decodeContent(
  bytes: Buffer,
  encoding: readonly string[],
  maxBytes: number,
): Buffer | undefined {
  const coding = encoding.join().trim().toLowerCase();
  if (['', 'identity'].includes(coding) || bytes.length === 0) return bytes;
  try {
    return decoders.get(coding)?.(bytes, maxBytes);
  } catch (error) {
    if (readSystemCode(error) === 'ERR_BUFFER_TOO_LARGE') throw new DecodedTooLargeError();
    return undefined;
  }
}
