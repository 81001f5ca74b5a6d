import { randomBytes, randomFillSync } from 'node:crypto';
import { secretLength } from '../../api/resources/api-key.js';

const pool = Buffer.alloc(4096);
let taken = pool.length;

/**
 * Up to 4,096 random bytes from the system's source, which is asked for many at once: asking takes the same time for
 * 12 bytes as for thousands. None is given out twice, and none is kept here once it has been.
 */
export function pooledRandomBytes(length: number): Buffer {
  if (length > pool.length) throw new RangeError(`${length} bytes are more than are asked for at once`);
  if (taken + length > pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  const drawn = pool.subarray(taken, taken + length);
  taken += length;
  const bytes = Buffer.from(drawn);
  drawn.fill(0);
  return bytes;
}

/** A new identifier with its kind's prefix in front, such as `conn_…` [ours]; unguessable, 96 bits. */
export function newIdentifier(prefix: string): string {
  return `${prefix}_${pooledRandomBytes(12).toString('hex')}`;
}

/** A new API key secret: 64 random characters (reference, section 2), hexadecimal [ours]. */
export function newSecret(): string {
  return randomBytes(secretLength / 2).toString('hex');
}
