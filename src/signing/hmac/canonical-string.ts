/** The parts of a request that a signature covers (reference, section 5, mode B). */
export interface SignableRequest {
  /** In any case: it is signed in upper case. */
  readonly method: string;
  /** Path and query exactly as on the request line, base path included. Bytes where it may not be ASCII. */
  readonly target: string | Uint8Array;
  /** The value of `X-API-Timestamp`: Unix seconds as a decimal string. */
  readonly timestamp: string;
  /** The exact `Content-Type` value; signed as the empty string when there is no body. */
  readonly contentType: string;
  /** The raw body; empty when there is none. */
  readonly body: Uint8Array;
}

/**
 * The canonical string: METHOD, PATH?QUERY, TIMESTAMP, CONTENT-TYPE and BODY joined by single line feeds, as UTF-8
 * (reference, section 5). It is bytes, not text: the body is signed as sent, whatever its encoding.
 */
export function canonicalString(request: SignableRequest): Buffer {
  const { target, timestamp, body } = request;
  const method = request.method.toUpperCase();
  const isEmpty = body.byteLength === 0;
  // The common case, in one piece instead of four buffers.
  if (isEmpty && typeof target === 'string') return Buffer.from(`${method}\n${target}\n${timestamp}\n\n`);
  return Buffer.concat([
    Buffer.from(`${method}\n`),
    typeof target === 'string' ? Buffer.from(target) : target,
    Buffer.from(`\n${timestamp}\n${isEmpty ? '' : request.contentType}\n`),
    body,
  ]);
}
