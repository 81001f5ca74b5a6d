import { describe, expect, it } from 'vitest';
import { canonicalString, equalInConstantTime } from '../../../src/signing/index.js';

it.each(['', 'é'])('the bytes of a target are signed as they were sent, with the body %j', (body) => {
  const target = Buffer.from([0x2f, 0xff, 0xc3, 0x28, 0x80]);
  const request = { method: 'get', target, timestamp: '1', contentType: '', body: Buffer.from(body) };
  expect(canonicalString(request)).toEqual(
    Buffer.concat([Buffer.from('GET\n'), target, Buffer.from(`\n1\n\n${body}`)]),
  );
});

describe('equalInConstantTime', () => {
  it.each([
    ['Größe-🔑', 'Größe-🔑', true],
    ['', '', true],
    ['a', 'A', false],
    ['a', '', false],
    ['a', 'aa', false],
    ['a', 'a\0', false],
    ['é', 'e\u0301', false],
  ])('%j and %j: %s', (left, right, isEqual) => {
    expect(equalInConstantTime(left, right)).toBe(isEqual);
  });
});
