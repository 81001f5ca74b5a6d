import { expect, test } from 'vitest';
import type { ColorMode } from '../../../src/api/option-values.js';
import { decideColor, loadChalk } from '../../../src/terminal/text/color.js';

// Which of flags and variables decides: test/profiles/precedence.test.ts.
test.each<[ColorMode, Record<string, string>, boolean, boolean]>([
  ['auto', {}, true, true],
  ['auto', {}, false, false],
  ['auto', { TERM: 'dumb' }, true, false],
  ['always', { TERM: 'dumb' }, false, true],
  ['never', {}, true, false],
])('--color %s with %j, on a terminal: %s, is colored: %s', (mode, env, isTerminal, expected) => {
  expect(decideColor(mode, env, { isTerminal })).toBe(expected);
});

test('chalk styles whatever the process it runs in is connected to', async () => {
  const chalk = await loadChalk();
  expect(chalk.red('x')).toBe('\u001b[31mx\u001b[39m');
});
