import process from 'node:process';

/** The ID of the user this process acts as; `undefined` on Windows, which knows no such numbers. */
export function effectiveUser(): number | undefined {
  return process.geteuid?.();
}
