import { describe, expect, it } from 'vitest';
import { seal, whyNotSealed } from '../../src/profiles/record-seal.js';
import { hmacSignature } from '../../src/signing/hmac/signature.js';

const signer = { baseUrl: 'https://api.example.com/v1', keyId: 'key_mine', secret: 's'.repeat(64) };
const fields = { id: '1', name: 'ci', known: ['key_a', 'key_b'], nested: { one: 1, two: [{ a: null }] } };
const place = '/home/me/ci.secret';

/** With the fields of all objects in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, field]) => [name, reversed(field)]),
  );
}

describe('a sealed record', () => {
  const record = seal(fields, place, signer);

  it('names the service and the key, and nothing of the secret', () => {
    expect(record).toEqual({
      ...fields,
      version: 1,
      baseUrl: signer.baseUrl,
      keyId: signer.keyId,
      mac: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('is known again after it was written and read, in any order of its fields, and sealed once more', () => {
    expect(whyNotSealed(JSON.parse(JSON.stringify(record)), place, signer)).toBeUndefined();
    expect(whyNotSealed(reversed(record), place, signer)).toBeUndefined();
    expect(whyNotSealed(seal({ ...record, id: '2' }, place, signer), place, signer)).toBeUndefined();
  });

  it('is of no use where anything of it is another', () => {
    const changed: object[] = [
      ...Object.keys(record).map((name) => ({ ...record, [name]: 'other' })),
      ...Object.keys(record).map((name) =>
        Object.fromEntries(Object.entries(record).filter(([each]) => each !== name)),
      ),
      { ...record, nested: { ...fields.nested, two: [{ a: 0 }] } },
      { ...record, more: 1 },
      { ...record, mac: record.mac.toUpperCase() },
    ];
    for (const each of changed) expect(whyNotSealed(each, place, signer), JSON.stringify(each)).toBeDefined();
  });

  it.each([
    [
      'address',
      { ...signer, baseUrl: 'https://api.example.com' },
      'is for "https://api.example.com/v1", not for https://api.example.com',
    ],
    ['key', { ...signer, keyId: 'key_next' }, 'is for the key "key_mine", not for key_next'],
    ['secret', { ...signer, secret: 't'.repeat(64) }, 'was not written here with the secret of key_mine'],
  ])('is of no use with another %s', (_what, other, why) => {
    expect(whyNotSealed(record, place, other)).toContain(why);
    expect(whyNotSealed(record, '/home/me/other.secret', signer)).toContain('was not written here');
  });

  it('is no signature of a request, and a signature is no seal', () => {
    const { mac: _, ...rest } = record;
    const text = JSON.stringify([place, rest]);
    expect(hmacSignature(signer.secret, Buffer.from(text))).not.toBe(record.mac);
  });
});

it.each([undefined, null, 'text', [], 1, {}, { mac: 'x' }])('%j is no record', (value) => {
  expect(whyNotSealed(value, place, signer)).toBeDefined();
});

it('a record that nests without end is none', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`);
  expect(whyNotSealed({ ...deep, version: 1 }, place, signer)).toBe('is not an orgctl record');
});

it('what a record says of itself is shown in quotes and cut', () => {
  const why = whyNotSealed({ version: 1, baseUrl: `a"\u001b[2J${'x'.repeat(9999)}` }, place, signer) ?? '';
  expect(why.length).toBeLessThan(300);
  expect(why).toContain('"a\\"\\u001b[2Jxxx');
});
