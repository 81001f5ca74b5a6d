import type { ChalkInstance } from 'chalk';

export type ColorChoice = 'auto' | 'always' | 'never';

/**
 * Whether one output is coloured. `--color` decides; then `FORCE_COLOR` (`0` and `false` turn colour off), which
 * overrides `NO_COLOR` as it does in Node; then whether it is a terminal that knows colours. Variables set to nothing
 * count as not set (no-color.org).
 */
export function wantsColor(
  choice: ColorChoice,
  env: Readonly<Record<string, string | undefined>>,
  output: { readonly isTerminal: boolean },
): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0' && env['FORCE_COLOR'] !== 'false';
  if (env['NO_COLOR']) return false;
  return output.isTerminal && env['TERM'] !== 'dumb';
}

/**
 * The sixteen named colours, which every colour terminal has and shows in its user's own theme. Chalk's own guess
 * from the process is never used.
 */
export async function loadChalk(): Promise<ChalkInstance> {
  const { Chalk } = await import('chalk');
  return new Chalk({ level: 1 });
}
