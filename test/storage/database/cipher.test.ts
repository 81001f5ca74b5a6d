import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCipher } from '../../../src/storage/database/cipher.js';

const cipher = createCipher(randomBytes(32));

describe('what was sealed', () => {
  it.each(['', 'a', 'Zoë 🦉', 'x'.repeat(100_000)])('opens again', (text) => {
    expect(cipher.open(cipher.seal(text, 'here'), 'here')).toBe(text);
  });

  it('is another each time, and does not show the text', () => {
    const sealed = [1, 2].map(() => cipher.seal('hunter2', 'here'));
    expect(sealed[0]?.equals(sealed[1] ?? Buffer.alloc(0))).toBe(false);
    expect(sealed[0]?.includes('hunter2')).toBe(false);
  });

  it('opens at no other place, under no other key, and not when a bit of it has changed', () => {
    const sealed = cipher.seal('hunter2', 'here');
    expect(() => cipher.open(sealed, 'there')).toThrow();
    expect(() => createCipher(randomBytes(32)).open(sealed, 'here')).toThrow();
    for (const index of sealed.keys()) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(() => cipher.open(changed, 'here')).toThrow();
    }
    expect(() => cipher.open(sealed.subarray(0, 20), 'here')).toThrow();
  });
});
