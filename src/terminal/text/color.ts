import type { ChalkInstance } from 'chalk';
import type { ColorMode } from '../../api/option-values.js';

/** Whether to use colors; `auto` means only on a terminal that has them. */
export function decideColor(
  mode: ColorMode,
  env: Readonly<Record<string, string | undefined>>,
  output: { readonly isTerminal: boolean },
): boolean {
  if (mode !== 'auto') return mode === 'always';
  return output.isTerminal && env['TERM'] !== 'dumb';
}

/** Chalk with the sixteen colors that terminal themes define. */
export async function loadChalk(): Promise<ChalkInstance> {
  const { Chalk } = await import('chalk');
  return new Chalk({ level: 1 });
}
