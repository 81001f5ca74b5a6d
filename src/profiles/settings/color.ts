import type { ColorMode } from '../../api/option-values.js';
import { type Environment, type Flags, givenSetting, settings } from './settings.js';
import { builtIn, type Sourced } from './source.js';

/**
 * `--color`, then `FORCE_COLOR` (first, as in Node), then `NO_COLOR`; an empty variable counts as unset (no-color.org).
 * @throws UsageError for a bad flag
 */
export function resolveColor(flags: Flags, env: Environment): Sourced<ColorMode> {
  const typed = givenSetting(settings.color, flags, env);
  if (typed !== undefined) return typed;
  const force = env['FORCE_COLOR'];
  if (force) {
    const off = force === '0' || force === 'false';
    return { value: off ? 'never' : 'always', source: { kind: 'env', name: 'FORCE_COLOR' } };
  }
  if (env['NO_COLOR']) return { value: 'never', source: { kind: 'env', name: 'NO_COLOR' } };
  return { value: 'auto', source: builtIn };
}
