import type { AuthMode } from '../api/option-values.js';
import { UsageError } from '../errors/errors.js';
import { requireSecret } from './basic/basic.js';
import { signatureHeader } from './hmac/signature.js';
import { defaultMaxSkew } from './hmac/timestamp.js';
import { explainMismatch, type MismatchExplanation } from './mistakes/explain-mismatch.js';
import {
  type CredentialCheck,
  CredentialRefusal,
  checkEnabled,
  checkHead,
  type RequestHead,
  readClaim,
  readSigned,
  type VerifiableKey,
} from './scheme.js';

/** A request as received, uninterpreted. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query exactly as on the request line: `url` of Node, `originalUrl` of Express and Fastify. */
  readonly target: string | Uint8Array;
  /** A `Headers` object; or an object, with names in upper or lower case. */
  readonly headers: { get(name: string): string | null } | RequestHead['headers'];
  /** The raw, unparsed body; may be left out if there is none. */
  readonly body?: Uint8Array | string | null | undefined;
}

/** How requests are verified. */
export interface VerifyOptions {
  /** Milliseconds since the epoch; default: the system's clock. */
  readonly clock?: (() => number) | undefined;
  /** Seconds by which a timestamp may differ from the clock, in either direction; default: 300. */
  readonly maxSkew?: number | undefined;
  /** Accepted modes; default: both. */
  readonly modes?: readonly AuthMode[] | undefined;
}

/** An accepted request; the holder of the key made it. */
export interface AcceptedRequest<Key> {
  readonly accepted: true;
  readonly keyId: string;
  readonly key: Key;
}

/** A refused request; respond with `statusCode` and `message`. */
export interface RefusedRequest {
  readonly accepted: false;
  readonly statusCode: 400 | 401 | 403;
  readonly message: string;
  readonly check: CredentialCheck;
  /** For the log: a sentence without a period, secret or signature. */
  readonly reason: string;
  /** Finds the mistake behind a wrong signature. Limit its use: it may hash the body thousands of times. */
  readonly explain?: () => MismatchExplanation;
}

type Lacking<Other> = { readonly [Field in Exclude<keyof Other, 'accepted'>]?: undefined };

/** The result of verifying a request; it may be taken apart before `accepted` is known. */
export type Verification<Key> =
  | (AcceptedRequest<Key> & Lacking<RefusedRequest>)
  | (RefusedRequest & Lacking<AcceptedRequest<Key>>);

/**
 * Verifies that a key's holder made a request. Makes the same checks as the service: exactly one mode, known key,
 * timestamp, signature or secret, enabled key. Compares in constant time, and takes as long for unknown keys as for
 * known ones. Does not prevent replays while the timestamp is recent.
 * @param findKey finds a key by ID
 * @throws UsageError for a part of the wrong type, such as a parsed body, or a key whose secret is missing or empty;
 * whatever `findKey` throws
 */
export async function verifyRequest<Key extends VerifiableKey>(
  request: ReceivedRequest,
  findKey: (keyId: string) => Key | null | undefined | Promise<Key | null | undefined>,
  options: VerifyOptions = {},
): Promise<Verification<Key>> {
  const { modes, clock = Date.now, maxSkew = defaultMaxSkew } = options;
  checkArguments(request, { clock, maxSkew });
  const head = readHead(request);
  const claim = readClaim(head, modes);
  if (claim instanceof CredentialRefusal) return toRefused(claim);
  const { keyId } = claim;
  const found = (await findKey(keyId)) ?? undefined;
  if (found !== undefined) requireSecret('verifyRequest, the key that `findKey` found', found.secret);
  const body = claim.checkBody === undefined ? new Uint8Array() : toBytes(request.body);
  const key = checkHead(claim, found, { clock, maxSkew }, body);
  const explain = () => explainMismatch({ secret: found?.secret ?? '', ...readSigned(head, body) });
  if (key instanceof CredentialRefusal) return toRefused(key, explain);
  const refusal = claim.checkBody?.(key.secret, body) ?? checkEnabled(key);
  return refusal === undefined ? { accepted: true, keyId, key } : toRefused(refusal, explain);
}

/** Callers without TypeScript may pass anything. */
function checkArguments(
  { method, target, headers }: ReceivedRequest,
  { clock, maxSkew }: VerifyOptions,
): void {
  const checks: readonly (readonly [boolean, string])[] = [
    [typeof method === 'string', '`request.method` is not a string'],
    [typeof target === 'string' || target instanceof Uint8Array, '`request.target` is not a string'],
    [Object(headers) === headers, '`request.headers` is not an object'],
    [typeof clock === 'function', '`options.clock` is not a function'],
    [Number(maxSkew) >= 0, '`options.maxSkew` is not 0 or more seconds'],
  ];
  const wrong = checks.flatMap(([isRight, problem]) => (isRight ? [] : [problem]));
  if (wrong.length > 0) throw new UsageError(`verifyRequest: ${wrong.join('; ')}`);
}

function toRefused(
  { check, statusCode, message, explain: because }: CredentialRefusal,
  explain?: () => MismatchExplanation,
): RefusedRequest {
  const { reason } = because();
  const refused = { accepted: false, statusCode, message, check, reason } as const;
  return explain && check === 'signature' ? { ...refused, explain } : refused;
}

function toBytes(body: unknown): Uint8Array {
  if (body === undefined || body === null) return new Uint8Array();
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return body;
  throw new UsageError('verifyRequest: `body` is not raw: it has been parsed already', {
    hint: 'make the framework pass the raw bytes, such as express.raw({ type: () => true })',
  });
}

const headerNames = ['authorization', 'content-type', ...Object.values(signatureHeader)].map((name) =>
  name.toLowerCase(),
);

/** Some gateways keep the case of names, and repeat a header in upper and lower case. */
function readHead({ method, target, headers }: ReceivedRequest): RequestHead {
  const sent = isGetting(headers)
    ? headerNames.map((name) => [name, headers.get(name)] as const)
    : Object.entries(headers);
  const values: Record<string, string | readonly string[]> = {};
  for (const [name, value] of sent) {
    const lower = name.toLowerCase();
    if (value === undefined || value === null || !headerNames.includes(lower)) continue;
    const earlier = values[lower];
    values[lower] = earlier === undefined ? value : [earlier, value].flat();
  }
  return { method, target, headers: values };
}

function isGetting(headers: ReceivedRequest['headers']): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}
