import type { IncomingHttpHeaders } from 'node:http';

/** A body as it was received, or that there was more of it than the server takes. */
export type ReceivedBody = Buffer | 'too large';

/** A request as it came over the wire, before anything in it was interpreted. */
export interface ReceivedRequest {
  readonly method: string;
  /** The target of the request line, byte for byte; text where it is ASCII, as it should be. */
  readonly target: string | Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly body: ReceivedBody;
}
