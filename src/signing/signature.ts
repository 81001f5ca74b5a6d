import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Bytes of SHA-256's blocks, to which a key is filled up with zeros (RFC 2104, section 2). */
const blockBytes = 64;

/** Bytes of the longest canonical string that is hashed in the two passes below: most have no body, or a short one. */
const shortBytes = 4096;

// What the two passes hash: the padded key, and after it the canonical string or the first pass's digest.
const inner = Buffer.alloc(blockBytes + shortBytes);
const outer = Buffer.alloc(blockBytes + 32);

/**
 * Lower-case hexadecimal HMAC-SHA256 of a canonical string under an API key's secret (reference, section 5).
 *
 * A short one is two hashes, as RFC 2104 defines it: `createHmac` sets up an object of OpenSSL's for each signature, and
 * verifying one so is a fifth of a request to a server that does nothing else (docs/performance.md).
 */
export function hmacSignature(secret: string, canonical: Uint8Array): string {
  if (canonical.byteLength > shortBytes || Buffer.byteLength(secret) > blockBytes) {
    return createHmac('sha256', secret).update(canonical).digest('hex');
  }
  padKey(secret);
  inner.set(canonical, blockBytes);
  const digest = hash('sha256', inner.subarray(0, blockBytes + canonical.byteLength), 'binary');
  outer.write(digest, blockBytes, 'binary');
  return hash('sha256', outer, 'hex');
}

function padKey(secret: string): void {
  const length = inner.write(secret);
  inner.fill(0, length, blockBytes);
  for (let at = 0; at < blockBytes; at += 1) {
    const byte = inner[at] ?? 0;
    inner[at] = byte ^ 0x36;
    outer[at] = byte ^ 0x5c;
  }
}

/**
 * Compares two texts in a time that depends on neither's content. Both are hashed first, so that a difference in
 * length costs the same as one in content.
 */
export function equalInConstantTime(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

// The key only serves to make the digests unpredictable to whoever chose one of the texts.
const comparisonKey = randomBytes(32);

function digest(text: string): Buffer {
  return createHmac('sha256', comparisonKey).update(text).digest();
}
