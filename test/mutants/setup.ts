import { afterEach, beforeEach } from 'vitest';
// Setup files are loaded anew for each test file, what they import is not.
import './load-mutated.js';
import { failures, mutantOfRun } from './failures.js';

// One failure is enough. Vitest's own way to end a run after it reaches the next run, too, in a worker that stays.
const mutant = mutantOfRun();
if (mutant !== undefined) {
  beforeEach((context) => {
    if (failures.has(mutant)) context.skip();
  });
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') failures.add(mutant);
  });
}
