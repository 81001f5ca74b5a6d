// Stryker loads this by itself, before anything compiles TypeScript.

/** Tells of each mutant that lives as soon as it is known, so that a run that is broken off has told something. */
class Survivors {
  onMutantTested({ status, fileName, location, replacement }) {
    if (status === 'Killed' || status === 'Ignored') return;
    const file = fileName.replace(/.*\/(?=src\/)/, '');
    console.log(`${status} ${file}:${location.start.line} ${(replacement ?? '').replace(/\s+/g, ' ')}`);
  }
}

export const strykerPlugins = [{ kind: 'Reporter', name: 'survivors', injectableClass: Survivors }];
