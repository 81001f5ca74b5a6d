import { expect, test } from 'vitest';
import type { ColorMode } from '../../../src/api/option-values.js';
import { resolveColor } from '../../../src/profiles/settings/settings.js';
import { decideColor, loadChalk } from '../../../src/terminal/text/color.js';

const cases: readonly [ColorMode, Record<string, string>, 'terminal' | 'pipe', boolean][] = [
  ['auto', {}, 'terminal', true],
  ['auto', {}, 'pipe', false],
  ['auto', { TERM: 'dumb' }, 'terminal', false],
  ['auto', { NO_COLOR: '1' }, 'terminal', false],
  ['auto', { NO_COLOR: '0' }, 'terminal', false],
  ['auto', { NO_COLOR: '' }, 'terminal', true],
  ['auto', { FORCE_COLOR: '1' }, 'pipe', true],
  ['auto', { FORCE_COLOR: 'true' }, 'pipe', true],
  ['auto', { FORCE_COLOR: '0' }, 'terminal', false],
  ['auto', { FORCE_COLOR: 'false' }, 'terminal', false],
  ['auto', { FORCE_COLOR: '' }, 'pipe', false],
  ['auto', { FORCE_COLOR: '1', NO_COLOR: '1' }, 'pipe', true],
  ['always', { NO_COLOR: '1', TERM: 'dumb' }, 'pipe', true],
  ['never', { FORCE_COLOR: '1' }, 'terminal', false],
];

test.each(cases)('--color %s with %j on a %s: %s', (choice, env, output, expected) => {
  const { value } = resolveColor(choice === 'auto' ? {} : { color: choice }, env);
  expect(decideColor(value, env, { isTerminal: output === 'terminal' })).toBe(expected);
});

test('chalk styles whatever the process it runs in is connected to', async () => {
  const chalk = await loadChalk();
  expect(chalk.red('x')).toBe('\u001b[31mx\u001b[39m');
});
