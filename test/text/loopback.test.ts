import { describe, expect, it } from 'vitest';
import { isLoopback } from '../../src/text/base-url.js';

describe('isLoopback', () => {
  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.255.255.254', '::1', '[::1]'])('%s is', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each([
    'localhost.example.com',
    'service.localhost',
    '127.0.0.1.example.com',
    '128.0.0.1',
    '0.0.0.0',
    '1127.0.0.1',
    '[::2]',
    '::ffff:10.0.0.1',
    '[127.0.0.1',
  ])('%s is not', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});
