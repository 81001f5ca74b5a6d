import { expect, it } from 'vitest';
import { pooledRandomBytes } from '../../../src/storage/database/random.js';

it('gives as many bytes as are asked for, and none twice', () => {
  const lengths = Array.from({ length: 2000 }, (_, index) => 12 + (index % 21));
  const drawn = lengths.map((length) => pooledRandomBytes(length));
  expect(drawn.map(({ length }) => length)).toEqual(lengths);
  // Also what was drawn first is still what it was when it was drawn.
  expect(new Set(drawn.map((bytes) => bytes.toString('hex', 0, 12))).size).toBe(lengths.length);
  // To their ends: bytes that two had in common would be the first of one and the last of the other.
  for (const at of [0, -1]) {
    expect(new Set(drawn.map((bytes) => bytes.at(at))).size).toBeGreaterThan(200);
  }
});

it('gives as much as it asks for at once, and no more', () => {
  expect(new Set(pooledRandomBytes(4096)).size).toBeGreaterThan(200);
  expect(pooledRandomBytes(12).equals(Buffer.alloc(12))).toBe(false);
  expect(() => pooledRandomBytes(4097)).toThrow('4097 bytes are more than are asked for at once');
});
