import { afterEach, beforeEach } from 'vitest';
// Setup files are loaded anew for each test file, what they import is not.
import './load-mutated.js';
import { failures, mutantOfRun, switchOff } from './failures.js';

// Stryker's own setup switches the mutant of this run on before the first test.
switchOff();

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
