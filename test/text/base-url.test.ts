import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/errors/errors.js';
import { isOriginForm, parseBaseUrl, portOf } from '../../src/text/base-url.js';

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
    'https:api.example.com',
    ' https://api.example.com',
    'https://api.example.com\n',
    'https://api.example.com\\@evil.example',
    'ftp://api.example.com',
    'http://api.example.com',
    'http://127.0.0.1.example.com',
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

it.each([
  ['foo', 'the base URL "foo" must be'],
  ['ftp://api.example.com', 'the base URL "ftp://api.example.com" must be'],
  ['https://api.example.com\r', 'the base URL "https://api.example.com\\r" must be'],
  ['f'.repeat(64), 'the base URL must be'],
  ['me:pw@api', 'the base URL must be'],
  ['\u001b[31m', 'the base URL must be'],
])('names a text that is no URL if no secret can be in it: %j', (text, message) => {
  expect(() => parseBaseUrl(text)).toThrow(message);
});

describe('isOriginForm', () => {
  it.each([
    '/',
    '/quotas',
    '/quotas?',
    '/connections?limit=2&limit=3',
    '/a//b/../c;d=e',
    '/?q=%20+\'"<>\\^`{|}~!*()',
  ])('takes %s', (target) => {
    expect(isOriginForm(target)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['no leading slash', 'quotas'],
    ['a query alone', '?limit=2'],
    ['a host', '//example.com/quotas'],
    ['a full URL', 'https://example.com/quotas'],
    ['a space', '/a b'],
    ['a line feed inside', '/a\nb'],
    ['a line feed at the end', '/quotas\n'],
    ['a null byte', '/a\0b'],
    ['a letter beyond ASCII', '/größe'],
    ['a fragment', '/quotas#top'],
  ])('refuses %s', (_case, target) => {
    expect(isOriginForm(target)).toBe(false);
  });

  it('takes nothing that a URL parser would send to another host', () => {
    fc.assert(
      fc.property(fc.webPath({ size: 'small' }), fc.webQueryParameters(), (path, query) => {
        const target = `${path}?${query}`;
        fc.pre(isOriginForm(target));
        expect(new URL(`https://example.com${target}`).host).toBe('example.com');
      }),
    );
  });
});

it.each([
  ['https://h', 443],
  ['http://h:80', 80],
  ['http://h:443', 443],
  ['https://h:8443/v1', 8443],
])('the port of %s is %i', (url, port) => {
  expect(portOf(new URL(url))).toBe(port);
});
