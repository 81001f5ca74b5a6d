import { expect, it } from 'vitest';
import { checkDecodedSecret, decodeSecret } from '../../../src/profiles/settings/secret-text.js';

it.each([
  ['\n\n', ''],
  ['\r\n\r\n', ''],
  ['\uFEFF\n\n', ''],
  ['s\n\n', 's\n'],
  ['\ns\r\n', '\ns'],
  [' \n', ' '],
])('%j gives the secret %j: newlines alone are none', (text, secret) => {
  const refuse = (what: string) => new Error(what);
  expect(decodeSecret(Buffer.from(text), refuse)).toBe(secret);
  expect(checkDecodedSecret(text, refuse)).toBe(secret);
});
