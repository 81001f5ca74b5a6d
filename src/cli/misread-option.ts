import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { UsageError } from '../errors/errors.js';
import { conversionHint, isProbablyMisread } from '../text/utf8.js';
import { isGlobal } from './global-options.js';

/**
 * Node.js has replaced the bytes of an argument that are not UTF-8. Arguments that only select, such as names to delete
 * and `--query`, are allowed: they may look for a name that an earlier program spoiled.
 * @throws UsageError naming the option, but not its value
 */
export function refuseMisread(command: CommandUnknownOpts): void {
  const misread = command.options.find(
    (option) => !isGlobal(option) && hasMisreadText(command.getOptionValue(option.attributeName())),
  );
  if (misread === undefined) return;
  throw new UsageError(`${misread.long}: the value contains U+FFFD, so it was probably not UTF-8 text`, {
    hint: conversionHint,
  });
}

function hasMisreadText(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasMisreadText);
  return typeof value === 'string' && isProbablyMisread(value);
}
