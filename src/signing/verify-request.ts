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

export interface ReceivedRequest {
  readonly method: string;
  /** As on the request line: `url` of Node, `originalUrl` of Express and Fastify. */
  readonly target: string | Uint8Array;
  readonly headers: { get(name: string): string | null } | RequestHead['headers'];
  /** The raw, unparsed body. */
  readonly body?: Uint8Array | string | null | undefined;
}

export interface VerifyOptions {
  /** Milliseconds since the epoch. */
  readonly clock?: (() => number) | undefined;
  /** Seconds, in either direction; default: 300. */
  readonly maxSkew?: number | undefined;
  /** The accepted modes; default: both. */
  readonly modes?: readonly AuthMode[] | undefined;
}

export interface AcceptedRequest<Key> {
  readonly accepted: true;
  readonly keyId: string;
  readonly key: Key;
}

/** Respond with `statusCode` and `message`. */
export interface RefusedRequest {
  readonly accepted: false;
  readonly statusCode: 400 | 401 | 403;
  readonly message: string;
  readonly check: CredentialCheck;
  /** For the log: without secret or signature. */
  readonly reason: string;
  /** Finds the mistake behind a wrong signature. Limit its use: it may hash the body thousands of times. */
  readonly explain?: () => MismatchExplanation;
}

type Lacking<Other> = { readonly [Field in Exclude<keyof Other, 'accepted'>]?: undefined };

/** Can be destructured before `accepted` is read. */
export type Verification<Key> =
  | (AcceptedRequest<Key> & Lacking<RefusedRequest>)
  | (RefusedRequest & Lacking<AcceptedRequest<Key>>);

/**
 * Verifies that a key's holder made a request, with the checks of the service. Compares in constant time, and takes as
 * long for unknown keys as for known ones. Does not prevent replays while the timestamp is recent.
 * @throws UsageError for a part of the wrong type, such as a parsed body, or a key whose secret is missing or empty;
 * whatever `findKey` throws
 */
export async function verifyRequest<Key extends VerifiableKey>(
  request: ReceivedRequest,
  findKey: (keyId: string) => Key | null | undefined | Promise<Key | null | undefined>,
  options: VerifyOptions = {},
): Promise<Verification<Key>> {
  const { modes, clock = Date.now, maxSkew = defaultMaxSkew } = options;
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
    hint: 'make the framework pass the raw bytes, as with express.raw({ type: () => true })',
  });
}

const headerNames = ['authorization', 'content-type', ...Object.values(signatureHeader)].map((name) =>
  name.toLowerCase(),
);

/** Reads headers in any case: some gateways repeat one in upper and lower case. */
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
