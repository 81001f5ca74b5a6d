import { DecodedTooLargeError, decodeContent } from '../client/exchange/content-coding.js';
import { findValues, type RawHeaders } from './service/headers.js';

/** Maximum bytes of a decoded body. */
const maxDecoded = 4 * 1024 * 1024;

/** Undoes `Content-Encoding`; `undefined` if the body is too large, broken, or in an unsupported coding. */
export function decodeBody(bytes: Buffer, headers: RawHeaders): Buffer | undefined {
  try {
    return decodeContent(bytes, findValues(headers, 'content-encoding'), maxDecoded);
  } catch (error) {
    if (error instanceof DecodedTooLargeError) return undefined;
    throw error;
  }
}
