import { DecodedTooLargeError, decodeContent } from '../client/exchange/content-coding.js';
import { findValues, type RawHeaders } from './service/headers.js';

/** Bytes of a body without its coding. */
const maxDecoded = 4 * 1024 * 1024;

/** A body without its `Content-Encoding`; `undefined` if it is too large, broken, or in another coding. */
export function decodeBody(bytes: Buffer, headers: RawHeaders): Buffer | undefined {
  try {
    return decodeContent(bytes, findValues(headers, 'content-encoding'), maxDecoded);
  } catch (error) {
    if (error instanceof DecodedTooLargeError) return undefined;
    throw error;
  }
}
