import { randomFillSync } from 'node:crypto';

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
  const place = pool.subarray(taken, taken + length);
  taken += length;
  const bytes = Buffer.from(place);
  place.fill(0);
  return bytes;
}
