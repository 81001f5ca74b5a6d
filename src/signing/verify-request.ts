import type { AuthMode } from '../api/option-values.js';
import { errorMessage } from '../api/refusal-message.js';
import { UsageError } from '../errors/errors.js';
import { parseBasicAuthorization, requireSecret } from './basic/basic.js';
import type { SignableRequest } from './hmac/canonical-string.js';
import { equalInConstantTime, noSecret, signatureHeader, verifySignature } from './hmac/signature.js';
import { defaultMaxSkew, isTimely } from './hmac/timestamp.js';
import { explainBasicFormat, explainTimestamp } from './mistakes/explain-credential.js';
import { explainMismatch, type MismatchExplanation } from './mistakes/explain-mismatch.js';

/** A request as it was received, before anything in it was interpreted. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query exactly as on the request line: `url` of Node and Fastify, `originalUrl` of Express. */
  readonly target: string | Uint8Array;
  /** Node's headers, with names in lower case, or a `Headers`. */
  readonly headers:
    | {
        /** The value of a header, whatever the case of its name; null where it was not sent. */
        get(name: string): string | null;
      }
    | { readonly [name: string]: string | readonly string[] | undefined };
  /** The raw body, not parsed; nothing when there is none. */
  readonly body?: Uint8Array | string | null | undefined;
}

/** What verification needs to know of a key; its other fields are passed through. */
export interface VerifiableKey {
  readonly secret: string;
  /** Default: true. */
  readonly enabled?: boolean | undefined;
}

/** How requests are verified. */
export interface VerifyOptions {
  /** Milliseconds since the epoch; default: the system's clock. */
  readonly clock?: (() => number) | undefined;
  /** Seconds by which a timestamp may differ from the clock, in either direction; default: 300. */
  readonly maxSkew?: number | undefined;
  /** The modes that are accepted; default: both. */
  readonly modes?: readonly AuthMode[] | undefined;
}

/** The request was made by the holder of the key. */
export interface AcceptedRequest<Key> {
  readonly accepted: true;
  readonly keyId: string;
  /** What `findKey` found. */
  readonly key: Key;
}

/** The request is refused; `statusCode` and `message` make the reference's answer (section 7). */
export interface RefusedRequest {
  readonly accepted: false;
  readonly statusCode: 400 | 401 | 403;
  readonly message: string;
  /** The first check that it failed; they are made in this order. */
  readonly check: 'credentials' | 'format' | 'key' | 'timestamp' | 'signature' | 'secret' | 'enabled';
  /** Why, for the log and not for the answer: a sentence without a full stop, secret or signature. */
  readonly reason: string;
  /** Looks for the mistake behind a wrong signature; takes dozens of hashes over the body, so limit its use. */
  readonly explain?: () => MismatchExplanation;
}

/** Whether a request was accepted, and why not. */
export type Verification<Key> = AcceptedRequest<Key> | RefusedRequest;

/**
 * Verifies that a request was made by the holder of a key, as the service does (reference, section 5): exactly one
 * mode, key, timestamp, signature or secret, enabled. An unknown key takes as long as a known one, and secrets and
 * signatures are compared in constant time. An intercepted request can be replayed while its timestamp is recent.
 *
 * @param findKey finds the key of an ID, or nothing
 * @throws UsageError for a parsed body, or a key whose secret is missing or empty; whatever `findKey` throws
 */
export async function verifyRequest<Key extends VerifiableKey>(
  request: ReceivedRequest,
  findKey: (keyId: string) => Key | null | undefined | Promise<Key | null | undefined>,
  options: VerifyOptions = {},
): Promise<Verification<Key>> {
  const { modes = ['hmac', 'basic'] } = options;
  const authorization = headerOf(request, 'authorization');
  const keyId = headerOf(request, signatureHeader.key);
  if (authorization !== undefined && keyId !== undefined) {
    const reason = 'both Authorization and X-API-Key were sent';
    return { ...refused('credentials', errorMessage.multipleCredentials, reason), statusCode: 400 };
  }
  if (keyId !== undefined && modes.includes('hmac')) {
    return verifiedSignature(request, keyId, await found(findKey, keyId), options);
  }
  if (authorization !== undefined && modes.includes('basic')) return verifiedSecret(authorization, findKey);
  return refused(
    'credentials',
    errorMessage.invalidKey,
    'the request carries no credential that is accepted',
  );
}

function verifiedSignature<Key extends VerifiableKey>(
  request: ReceivedRequest,
  keyId: string,
  key: Key | undefined,
  { clock = Date.now, maxSkew = defaultMaxSkew }: VerifyOptions,
): Verification<Key> {
  const signature = headerOf(request, signatureHeader.signature) ?? '';
  const signable = signableOf(request);
  const fits = verifySignature(key?.secret ?? noSecret, signable, signature);
  if (key === undefined) return unknownKey;
  const now = clock();
  if (!isTimely(signable.timestamp, now, maxSkew)) {
    const { reason } = explainTimestamp(signable.timestamp, now, maxSkew);
    return refused('timestamp', errorMessage.invalidTimestamp, reason);
  }
  if (fits) return enabled(keyId, key);
  const mismatch = { secret: key.secret, request: { ...signable, keyId }, signature };
  return {
    ...refused('signature', errorMessage.invalidSignature, 'the signature does not fit the request'),
    explain: () => explainMismatch(mismatch),
  };
}

async function verifiedSecret<Key extends VerifiableKey>(
  authorization: string,
  findKey: (keyId: string) => Key | null | undefined | Promise<Key | null | undefined>,
): Promise<Verification<Key>> {
  const credential = parseBasicAuthorization(authorization);
  if (credential === undefined) {
    return refused('format', errorMessage.invalidBasicFormat, explainBasicFormat(authorization));
  }
  const key = await found(findKey, credential.keyId);
  const matches = equalInConstantTime(key?.secret ?? noSecret, credential.secret);
  if (key === undefined) return unknownKey;
  if (matches) return enabled(credential.keyId, key);
  return refused('secret', errorMessage.invalidSecret, 'the secret is not that of the key');
}

async function found<Key extends VerifiableKey>(
  findKey: (keyId: string) => Key | null | undefined | Promise<Key | null | undefined>,
  keyId: string,
): Promise<Key | undefined> {
  const key = (await findKey(keyId)) ?? undefined;
  if (key !== undefined) requireSecret('verifyRequest, the key that `findKey` found', key.secret);
  return key;
}

/** Only a request that knows the secret may learn that its key is disabled. */
function enabled<Key extends VerifiableKey>(keyId: string, key: Key): Verification<Key> {
  if (key.enabled !== false) return { accepted: true, keyId, key };
  return { ...refused('enabled', errorMessage.keyDisabled, 'the key is disabled'), statusCode: 403 };
}

function refused(check: RefusedRequest['check'], message: string, reason: string) {
  return { accepted: false, statusCode: 401, message, check, reason } as const;
}

const unknownKey = refused('key', errorMessage.invalidKey, 'there is no such key');

function signableOf(request: ReceivedRequest): SignableRequest {
  const { method, target, body } = request;
  return {
    method,
    target,
    timestamp: headerOf(request, signatureHeader.timestamp) ?? '',
    contentType: headerOf(request, 'content-type') ?? '',
    body: rawBody(body),
  };
}

function rawBody(body: unknown): Uint8Array {
  if (body === undefined || body === null) return new Uint8Array();
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return body;
  throw new UsageError('verifyRequest: `body` is not raw: it has been parsed already', {
    hint: 'have the framework hand on the bytes, such as express.raw({ type: () => true })',
  });
}

function headerOf({ headers }: ReceivedRequest, name: string): string | undefined {
  if (isGetting(headers)) return headers.get(name) ?? undefined;
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' ? value : value?.join(', ');
}

function isGetting(headers: ReceivedRequest['headers']): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}
