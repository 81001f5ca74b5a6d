import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { findValues, type RawHeaders } from './service/headers.js';

/** Bytes of a body without its coding. */
const maxDecoded = 4 * 1024 * 1024;

const decoders = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
]);

/** A body without its `Content-Encoding`; `undefined` if it is too large, broken, or in another coding. */
export function decodeBody(bytes: Buffer, headers: RawHeaders): Buffer | undefined {
  const codings = findValues(headers, 'content-encoding').join(',').toLowerCase().split(',');
  const [coding = '', ...others] = codings
    .map((each) => each.trim())
    .filter((each) => each !== 'identity' && each !== '');
  if (coding === '' || bytes.length === 0) return bytes;
  const decode = decoders.get(coding);
  if (decode === undefined || others.length > 0) return undefined;
  try {
    return decode(bytes, { maxOutputLength: maxDecoded });
  } catch {
    return undefined;
  }
}
