import { hash, timingSafeEqual } from 'node:crypto';
import { attemptDigest, type SigningAttempt } from './signing-attempt.js';

const digestBytes = { md5: 16, sha1: 20, sha256: 32, sha384: 48, sha512: 64 } as const;

const blockBytes = 64;

const moments = 1000;

/** Whether some algorithm has digests of this length. */
export function isDigest({ byteLength }: Buffer): boolean {
  return Object.values<number>(digestBytes).includes(byteLength);
}

/** Compares attempts with one digest. Has its own HMAC (RFC 2104), because `createHmac` is slower. */
export class DigestMatcher {
  readonly #digest: Buffer;
  readonly #outer = Buffer.alloc(blockBytes + digestBytes.sha256);
  readonly #result = Buffer.alloc(digestBytes.sha256);
  #inner = Buffer.alloc(blockBytes);
  #key: Buffer | undefined;
  #timestampEnd = 0;

  constructor(digest: Buffer) {
    this.#digest = digest;
  }

  matches(attempt: SigningAttempt): boolean {
    if (digestBytes[attempt.algorithm] !== this.#digest.byteLength) return false;
    if (!isUsual(attempt)) return timingSafeEqual(attemptDigest(attempt), this.#digest);
    return this.#fits(this.#write(attempt));
  }

  /** The attempt with a timestamp in milliseconds, within the second of `attempt`, that matches the digest. */
  findMoment(attempt: SigningAttempt): SigningAttempt | undefined {
    if (digestBytes[attempt.algorithm] !== this.#digest.byteLength) return undefined;
    const first = withMoment(attempt, 0);
    const all = Array.from({ length: moments }, (_none, moment) => moment);
    const found = isUsual(attempt)
      ? this.#seekMoment(first)
      : all.find((moment) => this.matches(withMoment(attempt, moment)));
    return found === undefined ? undefined : withMoment(attempt, found);
  }

  #seekMoment(first: SigningAttempt): number | undefined {
    const inner = this.#write(first);
    const at = this.#timestampEnd - 3;
    for (let moment = 0; moment < moments; moment += 1) {
      inner[at] = digit(moment / 100);
      inner[at + 1] = digit((moment / 10) % 10);
      inner[at + 2] = digit(moment % 10);
      if (this.#fits(inner)) return moment;
    }
    return undefined;
  }

  #fits(inner: Buffer): boolean {
    // Hashes as strings, which Node creates faster than buffers.
    this.#outer.write(hash('sha256', inner, 'binary'), blockBytes, 'binary');
    this.#result.write(hash('sha256', this.#outer, 'binary'), 'binary');
    return timingSafeEqual(this.#result, this.#digest);
  }

  #write(attempt: SigningAttempt): Buffer {
    const { lines, separator } = attempt;
    this.#makeRoom(attempt);
    this.#padKey(attempt.key);
    let at = blockBytes;
    for (const [index, line] of lines.entries()) {
      if (index > 0) at += this.#inner.write(separator, at);
      const value = attempt[line];
      at += typeof value === 'string' ? this.#inner.write(value, at) : value.copy(this.#inner, at);
      if (line === 'timestamp') this.#timestampEnd = at;
    }
    return this.#inner.subarray(0, at);
  }

  #makeRoom({ lines, separator, ...attempt }: SigningAttempt): void {
    const bytes = lines.reduce((sum, line) => sum + separator.length + attempt[line].length, 0);
    // Each UTF-16 unit takes at most three bytes in UTF-8.
    const capacity = blockBytes + 3 * bytes;
    if (this.#inner.byteLength >= capacity) return;
    this.#inner = Buffer.alloc(capacity);
    this.#key = undefined;
  }

  #padKey(key: Buffer): void {
    if (key === this.#key) return;
    this.#key = key;
    const bytes = key.byteLength > blockBytes ? hash('sha256', key, 'buffer') : key;
    for (let at = 0; at < blockBytes; at += 1) {
      this.#inner[at] = (bytes[at] ?? 0) ^ 0x36;
      this.#outer[at] = (bytes[at] ?? 0) ^ 0x5c;
    }
  }
}

function isUsual({ algorithm, keyed, encoding }: SigningAttempt): boolean {
  return algorithm === 'sha256' && keyed === 'hmac' && encoding === 'utf8';
}

function withMoment(attempt: SigningAttempt, moment: number): SigningAttempt {
  return { ...attempt, timestamp: `${attempt.timestamp}${String(moment).padStart(3, '0')}` };
}

function digit(value: number): number {
  return 0x30 + Math.trunc(value);
}
