import type { IncomingHttpHeaders } from 'node:http';
import type { KeyCredential } from '../../storage/api-keys.js';

/** One way to authenticate a request. */
export interface Authenticator {
  /** Whether a request uses this way at all. */
  claims(headers: IncomingHttpHeaders): boolean;
  /** The claim it makes. @throws HttpError when the credential is malformed (reference, section 7). */
  read(request: ReceivedRequest): Claim;
}

/** The claim that a request comes from the holder of a key. */
export interface Claim {
  readonly keyId: string;
  /**
   * The key, whose secret the request proves to know.
   * @param key what there is under the ID; `undefined` when there is no such key
   * @throws HttpError when it does not (reference, section 7).
   */
  verify(key: KeyCredential | undefined): KeyCredential;
}

/** A body as it was received, or a note that it was larger than the server takes. */
export type ReceivedBody = Buffer | 'too large';

/** A request as it came over the wire, before anything in it was interpreted. */
export interface ReceivedRequest {
  readonly method: string;
  /** The target of the request line, byte for byte; text where it is ASCII, as it should be. */
  readonly target: string | Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly body: ReceivedBody;
}
