import { describe, expect, it } from 'vitest';
import { parseBaseUrl } from '../../src/contract/base-url.js';
import { UsageError } from '../../src/errors.js';

describe('parseBaseUrl', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com', ''],
    ['https://api.example.com/', 'https://api.example.com', ''],
    ['HTTPS://API.Example.com:443/', 'https://api.example.com', ''],
    ['https://api.example.com:8443/v1//', 'https://api.example.com:8443', '/v1'],
    ['https://api.example.com/a/b', 'https://api.example.com', '/a/b'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080', ''],
    ['http://[::1]:8080/v1', 'http://[::1]:8080', '/v1'],
    ['http://localhost', 'http://localhost', ''],
  ])('reads %s', (text, origin, prefix) => {
    expect(parseBaseUrl(text)).toEqual({ origin, prefix, href: `${origin}${prefix}` });
  });

  it.each([
    '',
    'api.example.com',
    'https://',
    'https:api.example.com',
    ' https://api.example.com',
    'https://api.example.com\n',
    'https://api.example.com\\@evil.example',
    'ftp://api.example.com',
    'file:///etc/passwd',
    'http://api.example.com',
    'http://127.0.0.1.example.com',
    'https://api.example.com/?a=b',
    'https://api.example.com/?',
    'https://api.example.com/#',
    'https://api.example.com//host',
    'https://api.example.com:99999',
  ])('refuses %j', (text) => {
    expect(() => parseBaseUrl(text)).toThrow(UsageError);
  });

  it.each(['https://user:pw-1@api.example.com', 'http://user:pw-1@api.example.com', 'https://a b:pw-1@c'])(
    'refuses a password without repeating it: %s',
    (text) => {
      expect(() => parseBaseUrl(text)).toThrow(/^(?!.*pw-1)/s);
    },
  );
});
