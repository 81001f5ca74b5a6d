import type { IncomingHttpHeaders } from 'node:http';
import type { KeyCredential } from '../../storage/api-keys.js';
import type { Awaitable } from '../../storage/awaitable.js';
import type { ReceivedRequest } from './received-request.js';

/** One way to authenticate a request. */
export interface Authenticator {
  /** Whether a request uses this way at all. */
  claims(headers: IncomingHttpHeaders): boolean;
  /**
   * The key whose secret the request proves to know.
   * @throws HttpError when it does not (reference, section 7).
   */
  authenticate(request: ReceivedRequest): Awaitable<KeyCredential>;
}

/** Looks up what a key is checked against; `undefined` when there is no such key. */
export type FindKey = (keyId: string) => Awaitable<KeyCredential | undefined>;

/** Checked in place of a secret that does not exist, so that an unknown key takes as long as a known one. */
export const noSecret = '0'.repeat(64);
