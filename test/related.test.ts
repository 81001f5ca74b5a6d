import { describe, expect, it } from 'vitest';
import { findRelatedTests } from './support/related-tests.js';

describe('npm run test:related', () => {
  it.each([
    ['src/client/exchange/retry.ts', ['test/client/exchange/retry.test.ts']],
    ['src/commands/teams/list.ts', ['teams', 'whole-lists'].map((name) => `test/commands/${name}.test.ts`)],
    ['src/commands/quotas.ts', ['test/commands/quotas-watch.test.ts', 'test/commands/quotas.test.ts']],
  ])('finds the tests closest to %s', (file, tests) => {
    expect(findRelatedTests(file)).toEqual(expect.arrayContaining(tests));
  });

  it('finds what every command shows of itself, its help and the list of commands', () => {
    const shown = ['help-golden', 'help', 'completion'].map((name) => `test/commands/${name}.test.ts`);
    expect(findRelatedTests('src/commands/whoami.ts')).toEqual(expect.arrayContaining(shown));
    expect(findRelatedTests('src/verbs/quotas/view.ts')).not.toEqual(expect.arrayContaining(shown));
  });
});
