import { expect, it } from 'vitest';
import { processStart } from '../../../src/terminal/process/process-system.js';
import { describeRun, isLive, type RecordedRun } from '../../../src/verbs/api-keys/live-run.js';

const now = describeRun(process.pid);
const nobody = 2 ** 30;

it.runIf(processStart(process.pid)).each<[string, RecordedRun, number, boolean]>([
  ['a process that runs', now, 1, true],
  ['a process whose ID is another one by now', { ...now, started: '1' }, 1, false],
  ['a process that has ended', { pid: nobody, started: '1' }, 1, false],
  ['this process', now, process.pid, false],
  ['nobody', {}, 1, false],
])('a run of %s is judged by ID and start', (_what, run, ownPid, expected) => {
  expect(isLive(run, {}, ownPid)).toBe(expected);
});
