import { secretLength } from '../../contract/resources/api-key.js';
import { isKeyId } from '../../redaction/harmless.js';
import { explainMismatch, type Mismatch, parseTimestamp, visibleCanonical } from '../../signing/index.js';
import type { Explanation } from './refusal.js';

/** Bytes of a body up to which mistakes are looked for: each of dozens of attempts hashes or rewrites the whole body. */
const triedBytes = 16_384;

/**
 * Why a signature was refused (reference, section 5, server rules 1 and 4), with what should have been signed.
 * @param thoroughly whether milliseconds are looked for together with other mistakes, which is most of the work
 */
export function explainSignature(mismatch: Mismatch, thoroughly: boolean): Explanation {
  const { request, secret, signature } = mismatch;
  if (signature === '') {
    return { reason: 'X-API-Signature is missing', canonical: visibleCanonical(request, secret) };
  }
  if (request.body.byteLength > triedBytes) {
    const reason = 'the signature does not fit; known mistakes are not tried with a body over 16 KiB';
    return { reason, canonical: visibleCanonical(request, secret) };
  }
  const { mistake, ...explanation } = explainMismatch(mismatch, thoroughly);
  return mistake === undefined
    ? explanation
    : { ...explanation, mistake: mistake.id, advice: mistake.advice };
}

/**
 * Why a timestamp was refused (reference, section 5, server rule 2).
 * @param header the value of `X-API-Timestamp`, empty when it is missing
 * @param now the server's clock, in milliseconds since the epoch
 * @param maxSkew seconds of tolerance
 */
export function explainTimestamp(header: string, now: number, maxSkew: number): Explanation {
  if (header === '') return { reason: 'X-API-Timestamp is missing' };
  const timestamp = parseTimestamp(header);
  if (timestamp === undefined) return { reason: 'X-API-Timestamp is not a decimal number of seconds' };
  const server = Math.floor(now / 1000);
  const skew = timestamp - server;
  const inSeconds = Math.floor(timestamp / 1000);
  if (timestamp > 100_000_000_000 && Math.abs(inSeconds - server) < 10 * 366 * 86_400) {
    return { reason: 'X-API-Timestamp is in milliseconds, not in seconds', skew };
  }
  const side = skew < 0 ? 'behind' : 'ahead of';
  return {
    reason: `X-API-Timestamp is ${Math.abs(skew)} seconds ${side} the server's clock; ${maxSkew} are tolerated`,
    skew,
  };
}

/** Why an `Authorization` header is not in the form of mode A (reference, section 5); nothing of it is repeated. */
export function explainBasicFormat(header: string): string {
  const [, scheme = '', encoded] = /^([^\s]*)(?: (.*))?$/s.exec(header) ?? [];
  if (scheme.toLowerCase() !== 'basic') return 'the scheme of the Authorization header is not Basic';
  if (encoded === undefined || encoded === '') return 'nothing comes after Basic in the Authorization header';
  const decoded = Buffer.from(encoded, 'base64');
  if (decoded.toString('base64') !== encoded) {
    return 'what comes after Basic is not base64 with its padding, on one line';
  }
  return decoded.includes(':')
    ? 'the decoded credentials are not UTF-8'
    : 'the decoded credentials have no colon between key ID and secret';
}

/** What is wrong with a secret as far as its shape shows it; nothing of it is repeated. */
export function explainWrongSecret(secret: string): string {
  if (/^\s|\s$/.test(secret)) return 'the secret begins or ends with white space, such as a newline';
  if (/^(["']).*\1$/.test(secret)) return 'the secret has quotes round it';
  if (secret.length !== secretLength) {
    return `the secret has ${secret.length} characters, and secrets have ${secretLength}`;
  }
  return "the secret is another one than the key's";
}

/** The key ID that a request claims, if it is one: anything else may be a secret in the wrong place. */
export function claimedKeyId(text: string | undefined): string | undefined {
  return text !== undefined && isKeyId(text) ? text : undefined;
}

/** Why there is no key of an ID. */
export function explainUnknownKey(text: string): string {
  if (text === '') return 'the key ID is empty';
  const claimed = claimedKeyId(text);
  if (claimed !== undefined) return `there is no key ${claimed}: it never existed, was deleted or revoked`;
  return 'the key ID is not of the form key_…: are key ID and secret swapped?';
}
