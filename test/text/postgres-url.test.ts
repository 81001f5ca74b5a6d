import { expect, it } from 'vitest';
import { isPostgresUrlWithoutPassword } from '../../src/text/postgres-url.js';

it.each([
  ['postgres://h/d', true],
  ['postgresql://u@h:5432/d?sslmode=require', true],
  ['postgres://u:hunter2@h/d', false],
  ['postgres://h/d?user=u&password=hunter2', false],
  ['postgres://u:hunter2/x@h/d', false],
  ['hunter2', false],
])('%s may be shown: %s', (text, isShown) => {
  expect(isPostgresUrlWithoutPassword(text)).toBe(isShown);
});
