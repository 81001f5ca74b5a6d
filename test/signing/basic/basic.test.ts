import { describe, expect, it } from 'vitest';
import { explainBasicFormat } from '../../../src/signing/basic/basic.js';
import { basicAuthorization, parseBasicAuthorization } from '../../../src/signing/index.js';

describe('basicAuthorization', () => {
  it('is the scheme and base64 of ID, colon, secret', () => {
    // printf 'key_1:secret' | base64
    expect(basicAuthorization({ keyId: 'key_1', secret: 'secret' })).toBe('Basic a2V5XzE6c2VjcmV0');
  });
});

describe('parseBasicAuthorization', () => {
  it.each([
    ['one credential', 'Basic a2V5XzE6c2VjcmV0', { keyId: 'key_1', secret: 'secret' }],
    ['UTF-8', 'Basic a2V5XzE6R3LDtsOfZS3wn5SR', { keyId: 'key_1', secret: 'Größe-🔑' }],
    ['colons in the secret', 'Basic a2V5XzE6YTpiOmM=', { keyId: 'key_1', secret: 'a:b:c' }],
    ['a lower-case scheme', 'basic a2V5XzE6c2VjcmV0', { keyId: 'key_1', secret: 'secret' }],
    ['an empty secret', 'Basic a2V5XzE6', { keyId: 'key_1', secret: '' }],
    ['an empty key ID', 'Basic OnNlY3JldA==', { keyId: '', secret: 'secret' }],
  ])('reads %s', (_case, header, credential) => {
    expect(parseBasicAuthorization(header)).toEqual(credential);
  });

  it.each([
    ['no credentials', 'Basic'],
    ['another scheme', 'Bearer a2V5XzE6c2VjcmV0'],
    ['a longer scheme', 'Basics a2V5XzE6c2VjcmV0'],
    ['credentials that are not encoded', 'Basic key_1:secret'],
    ['no colon', 'Basic a2V5XzE='],
    ['padding that is missing', 'Basic a2V5XzE6YQ'],
    ['padding that is too much', 'Basic a2V5XzE6c2VjcmV0=='],
    ['padding in the middle', 'Basic a2V5XzE6YQ==a2V5'],
    ['a lone last character', 'Basic a2V5XzE6c2VjcmV0a'],
    ['bits after the end that are not zero', 'Basic a2V5XzE6YR=='],
    ['characters of base64url', `Basic ${Buffer.from('key_1:???>>>').toString('base64url')}`],
    ['a character outside the alphabet', 'Basic a2V5XzE6c2Vj*mV0'],
    ['two spaces', 'Basic  a2V5XzE6c2VjcmV0'],
    ['a trailing line feed', 'Basic a2V5XzE6c2VjcmV0\n'],
    ['text that is not UTF-8', `Basic ${Buffer.from('key_1:\xff', 'latin1').toString('base64')}`],
  ])('refuses %s', (_case, header) => {
    expect(parseBasicAuthorization(header)).toBeUndefined();
  });
});

describe('explainBasicFormat', () => {
  const encoded = (text: string | Buffer) => `Basic ${Buffer.from(text).toString('base64')}`;

  it.each([
    ['', 'the scheme of the Authorization header is not Basic'],
    ['Bearer abcd', 'the scheme of the Authorization header is not Basic'],
    ['Basic\tabcd', 'the scheme of the Authorization header is not Basic'],
    ['a\tBasic abcd', 'the scheme of the Authorization header is not Basic'],
    ['Basic', 'the Authorization header has nothing after Basic'],
    ['basic ', 'the Authorization header has nothing after Basic'],
    ['Basic abc', 'the text after Basic is not padded base64 on one line'],
    ['Basic YWJj\nYWJj', 'the text after Basic is not padded base64 on one line'],
    [encoded('key_a'), 'the decoded credentials have no colon between key ID and secret'],
    [encoded(Buffer.from([0x61, 0x3a, 0xff])), 'the decoded credentials are not UTF-8'],
  ])('%j', (header, reason) => {
    expect(explainBasicFormat(header)).toBe(reason);
  });
});
