import process from 'node:process';

/** `undefined` on Windows. */
export function effectiveUser(): number | undefined {
  return process.geteuid?.();
}
