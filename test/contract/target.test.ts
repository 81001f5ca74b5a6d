import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOriginForm } from '../../src/contract/target.js';

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
    ['the asterisk form', '*'],
    ['a space', '/a b'],
    ['a leading space', ' /quotas'],
    ['a tab', '/a\tb'],
    ['a line feed inside', '/a\nb'],
    ['a line feed at the end', '/quotas\n'],
    ['a carriage return', '/quotas\r'],
    ['a null byte', '/a\0b'],
    ['DEL', '/a\x7fb'],
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
