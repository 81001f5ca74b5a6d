import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { KeyRing } from '../../src/storage/key-ring.js';

const [older, newer] = [randomBytes(32), randomBytes(32)];
const ring = new KeyRing(older);

describe('a sealed value', () => {
  it('opens at no other place, and not when a bit of it has changed', () => {
    const sealed = ring.seal('hunter2', 'here');
    expect(() => ring.open(sealed, 'there')).toThrow();
    for (const index of sealed.keys()) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(() => ring.open(changed, 'here')).toThrow();
    }
    expect(() => ring.open(sealed.subarray(0, 35), 'here')).toThrow();
    expect(() => ring.open(Buffer.alloc(0), 'here')).toThrow();
  });

  it('opens with any key of a ring; a ring without its key names the key', () => {
    const both = new KeyRing(newer, older);
    expect(both.open(ring.seal('a', 'here'), 'here')).toBe('a');
    const sealed = both.seal('b', 'here');
    expect(() => ring.open(sealed, 'here')).toThrow(`needs the master key ${both.fingerprint}`);
  });
});
