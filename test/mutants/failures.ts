import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** By Stryker, where it tries a mutant. */
    readonly activeMutant?: string;
    /** Of the global object: where the sources look which mutant is on. */
    readonly globalNamespace?: string;
    readonly mode?: 'dry-run' | 'mutant';
  }
}

/** The mutants that a test has noticed. */
export const failures = new Set<string>();

/** The mutant that is on; `undefined` where there is none. */
export function mutantOfRun(): string | undefined {
  return inject('mode') === 'mutant' ? inject('activeMutant') : undefined;
}

/**
 * Switches every mutant off. In a worker that stays, the one of the run before is still on while test files are loaded; if it
 * kept one of them from loading, it would do so in every later run.
 */
export function switchOff(): void {
  const stryker: unknown = Reflect.get(globalThis, inject('globalNamespace') ?? '');
  if (typeof stryker === 'object' && stryker !== null) Reflect.set(stryker, 'activeMutant', undefined);
}
