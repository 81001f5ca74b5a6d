import type { IncomingHttpHeaders } from 'node:http';
import { errorMessage } from '../../api/error-message.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import type { ReceivedBody } from '../http/body-reading.js';
import { HttpError } from '../http/http-error.js';

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
   * The key, unless the head of the request shows that it will be refused, whatever its body is.
   * @param key the key of that ID; `undefined` when there is none
   * @throws HttpError when it does (reference, section 7).
   */
  verifyHead(key: KeyCredential | undefined): KeyCredential;
  /**
   * To be called when the body is there. Absent where the head already proves knowledge of the secret.
   * @throws HttpError when the request does not prove it (reference, section 7).
   */
  readonly verifyBody?: (key: KeyCredential) => void;
}

/** A request as it came over the wire, uninterpreted. */
export interface ReceivedRequest {
  readonly method: string;
  /** The target of the request line, byte for byte; a string if it is ASCII, as it should be. */
  readonly target: string | Buffer;
  readonly headers: IncomingHttpHeaders;
  /** `undefined` until it is there; of a request that is refused by its head it may never be. */
  body?: ReceivedBody | undefined;
}

/**
 * Reads the credential of a request, which must use exactly one mode (reference, section 5).
 * @throws HttpError when it is refused (reference, section 7).
 */
export function readClaim(authenticators: readonly Authenticator[], request: ReceivedRequest): Claim {
  const claiming = authenticators.filter(({ claims }) => claims(request.headers));
  const [authenticator] = claiming;
  if (claiming.length > 1)
    throw refused(400, errorMessage.multipleCredentials, 'both Authorization and X-API-Key were sent');
  // No credential at all: the reference has no message for that, so this one is ours.
  if (!authenticator) throw refused(401, errorMessage.invalidKey, 'the request carries no credential');
  return authenticator.read(request);
}

/** The key IDs of all well-formed credentials of a request that has several. */
export function claimedKeyIds(authenticators: readonly Authenticator[], request: ReceivedRequest): string[] {
  return authenticators
    .filter(({ claims }) => claims(request.headers))
    .flatMap((authenticator) => {
      try {
        return [authenticator.read(request).keyId];
      } catch (error) {
        if (error instanceof HttpError) return [];
        throw error;
      }
    });
}

/**
 * To be called after verification: only a request that knows the secret may learn this.
 * @param consoleOf where the management console is; `undefined` where there is none
 * @throws HttpError 403 when the key is disabled (reference, section 3).
 */
export function requireEnabled({ enabled, keyId }: KeyCredential, consoleOf: () => string | undefined): void {
  if (enabled) return;
  const explain = () => ({ reason: `${keyId} is disabled; ${howToEnable(keyId, consoleOf())}` });
  throw new HttpError(403, errorMessage.keyDisabled, { check: 'enabled', explain });
}

function howToEnable(keyId: string, address: string | undefined): string {
  const command = `enable it again: orgctl local keys enable ${keyId}`;
  return address === undefined ? command : `${command}, or in the console: ${address}/#/keys`;
}

function refused(status: number, message: string, reason: string): HttpError {
  return new HttpError(status, message, { check: 'credentials', explain: () => ({ reason }) });
}
