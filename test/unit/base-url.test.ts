import fc from 'fast-check';
import { expect, it } from 'vitest';
import { UsageError } from '../../src/errors/errors.js';
import { isLoopback, isOriginForm, parseBaseUrl } from '../../src/text/base-url.js';

it.each([
  ['https://api.example.com/', 'https://api.example.com', ''],
  ['HTTPS://API.Example.com:443/', 'https://api.example.com', ''],
  ['https://api.example.com:8443/v1//', 'https://api.example.com:8443', '/v1'],
  ['http://[::1]:8080/v1', 'http://[::1]:8080', '/v1'],
  ['http://localhost', 'http://localhost', ''],
])('reads %s', (text, origin, prefix) => {
  expect(parseBaseUrl(text)).toEqual({ origin, prefix, href: `${origin}${prefix}` });
});

it.each([
  'api.example.com',
  ' https://api.example.com',
  'https://api.example.com\\@evil.example',
  'ftp://api.example.com',
  'http://api.example.com',
  'http://127.0.0.1.example.com',
  'https://api.example.com/?',
  'https://api.example.com//host',
])('refuses %j', (text) => {
  expect(() => parseBaseUrl(text)).toThrow(UsageError);
});

it.each([
  'https://user:pw-1@api.example.com',
  'http://user:pw-1@api.example.com',
  'me:pw-1@api',
  'pw-1'.repeat(20),
])('refuses a password without repeating it: %s', (text) => {
  expect(() => parseBaseUrl(text)).toThrow(/^(?!.*pw-1)/s);
});

it('a target leads to no other host', () => {
  fc.assert(
    fc.property(fc.webPath({ size: 'small' }), fc.webQueryParameters(), (path, query) => {
      const target = `${path}?${query}`;
      fc.pre(isOriginForm(target));
      expect(new URL(`https://example.com${target}`).host).toBe('example.com');
    }),
  );
});

it.each([
  ['LOCALHOST', true],
  ['127.255.255.254', true],
  ['[::1]', true],
  ['service.localhost', false],
  ['127.0.0.1.example.com', false],
  ['0.0.0.0', false],
  ['::ffff:10.0.0.1', false],
])('%s is loopback: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
