import { describe, expect, it } from 'vitest';
import { cacheDirectory } from '../../src/code-cache/cache-directory.js';

describe('cacheDirectory', () => {
  it.each([
    ['linux', { HOME: '/home/a' }, '/home/a/.cache/orgctl'],
    ['linux', { HOME: '/home/a', XDG_CACHE_HOME: '/caches' }, '/caches/orgctl'],
    ['linux', { HOME: '/home/a', XDG_CACHE_HOME: '' }, '/home/a/.cache/orgctl'],
    ['darwin', { HOME: '/Users/a' }, '/Users/a/Library/Caches/orgctl'],
    ['win32', { LOCALAPPDATA: 'C:\\Users\\a\\AppData\\Local' }, 'C:\\Users\\a\\AppData\\Local\\orgctl'],
  ] as const)('on %s with %j is %s', (platform, env, expected) => {
    expect(cacheDirectory({ platform, env })).toBe(expected);
  });

  it.each([
    ['linux', {}],
    ['linux', { HOME: 'relative' }],
    ['linux', { HOME: '/home/a', XDG_CACHE_HOME: 'relative' }],
    ['darwin', { HOME: '' }],
    ['win32', { HOME: '/home/a' }],
  ] as const)('on %s with %j there is none', (platform, env) => {
    expect(cacheDirectory({ platform, env })).toBeUndefined();
  });
});
