import { onTestFinished } from 'vitest';

/** The warnings that Node gives from now to the end of the test; users would see them on stderr. */
export function recordWarnings(): readonly Error[] {
  const warnings: Error[] = [];
  const listen = (warning: Error) => void warnings.push(warning);
  process.on('warning', listen);
  onTestFinished(() => void process.off('warning', listen));
  return warnings;
}
