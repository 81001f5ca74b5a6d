import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
} from 'node:zlib';
import { readSystemCode } from '../../errors/errors.js';

type Decode = (bytes: Buffer, limits: { readonly maxOutputLength: number }) => Buffer;

// Accepts truncated input, such as a response that was cut off: incomplete JSON is detected later.
const partial: ZlibOptions = { finishFlush: constants.Z_SYNC_FLUSH };
const gunzip: Decode = (bytes, limits) => gunzipSync(bytes, { ...partial, ...limits });

const decoders: ReadonlyMap<string, Decode> = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  // Some services omit the zlib header.
  [
    'deflate',
    (bytes, limits) =>
      ((bytes[0] ?? 0) & 0x0f) === 8
        ? inflateSync(bytes, { ...partial, ...limits })
        : inflateRawSync(bytes, { ...partial, ...limits }),
  ],
  [
    'br',
    (bytes, limits) =>
      brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH, ...limits }),
  ],
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
  const [coding, ...others] = encoding
    .flatMap((value) => value.toLowerCase().split(','))
    .map((each) => each.trim())
    .filter((each) => each !== 'identity' && each !== '');
  if (coding === undefined || bytes.length === 0) return bytes;
  const decode = decoders.get(coding);
  if (decode === undefined || others.length > 0) return undefined;
  try {
    return decode(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (readSystemCode(error) === 'ERR_BUFFER_TOO_LARGE') throw new DecodedTooLargeError();
    return undefined;
  }
}
