import type { ChalkInstance } from 'chalk';
import type { ColorMode } from '../../api/option-values.js';

/** Whether one output is coloured: as was chosen, and for `auto` where it is a terminal that knows colours. */
export function wantsColor(
  mode: ColorMode,
  env: Readonly<Record<string, string | undefined>>,
  output: { readonly isTerminal: boolean },
): boolean {
  if (mode !== 'auto') return mode === 'always';
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
