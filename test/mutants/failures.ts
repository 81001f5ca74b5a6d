import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** By Stryker, where it tries a mutant. */
    readonly activeMutant?: string;
    readonly mode?: 'dry-run' | 'mutant';
  }
}

/** The mutants that a test has noticed. */
export const failures = new Set<string>();

/** The mutant that is on; `undefined` where there is none. */
export function mutantOfRun(): string | undefined {
  return inject('mode') === 'mutant' ? inject('activeMutant') : undefined;
}
