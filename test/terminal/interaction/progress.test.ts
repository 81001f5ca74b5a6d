import { describe, expect, test } from 'vitest';
import { type ProgressTask, startProgress } from '../../../src/terminal/interaction/progress.js';
import { makeStreams } from '../../../src/terminal/output/streams.js';
import { type MemorySystemOptions, memorySystem } from '../../support/memory-system.js';

const erase = '\r\u001b[K';

function start(task: ProgressTask, options: MemorySystemOptions & { quiet?: boolean } = { isTTY: true }) {
  const system = memorySystem(options);
  const streams = makeStreams(system);
  const clock = { ms: 0 };
  const context = { streams, quiet: options.quiet ?? false, now: () => clock.ms };
  return { system, streams, clock, progress: startProgress(context, task) };
}

test('is one line, redrawn at most ten times a second and erased at the end', () => {
  const { system, clock, progress } = start({ label: 'creating', total: 500 });
  for (let ms = 0; ms < 250; ms++) {
    clock.ms = ms;
    progress.tick();
  }
  progress.done();
  expect(system.stderrText()).toBe(`${erase}creating 101/500${erase}creating 201/500${erase}`);
});

test('without a total it counts', () => {
  const { system, clock, progress } = start({ label: 'reading' });
  clock.ms = 100;
  progress.tick(20);
  expect(system.stderrText()).toBe(`${erase}reading 20`);
});

test.each([
  ['a bar, rate and time left', 40, 80, 'creating 10/40  █████░░░░░░░░░░░░░░░  5.0/s, 6s left'],
  ['minutes', 10_000, 80, 'creating 10/10000  ░░░░░░░░░░░░░░░░░░░░  5.0/s, 34m left'],
  ['its rate without a total', undefined, 80, 'creating 10  5.0/s'],
  ['only the count where there is no room', 40, 30, 'creating 10/40'],
  ['no more than the terminal has columns', undefined, 8, 'creatin'],
])('work of two seconds shows %s', (_what, total, columns, line) => {
  const task = { label: 'creating', ...(total !== undefined && { total }) };
  const { system, clock, progress } = start(task, { isTTY: true, columns });
  clock.ms = 2000;
  progress.tick(10);
  expect(system.stderrText()).toBe(`${erase}${line}`);
});

test('work that is over at once draws nothing', () => {
  const { system, progress } = start({ label: 'creating' });
  progress.tick();
  progress.done();
  expect(system.stderrText()).toBe('');
});

test.each([
  ['stderr is no terminal', { isTTY: { stdout: true } }],
  ['--quiet is given', { isTTY: true, quiet: true }],
])('draws nothing when %s', (_name, options) => {
  const { system, clock, progress } = start({ label: 'creating' }, options);
  clock.ms = 1000;
  progress.tick();
  progress.done();
  expect(system.stderrText()).toBe('');
});

describe('text that comes in between', () => {
  test.each(['stdout', 'stderr'] as const)('on %s finds the line erased', async (name) => {
    const { system, streams, clock, progress } = start({ label: 'creating' });
    clock.ms = 100;
    progress.tick();
    await streams[name].write('row\n');
    progress.done();
    const after = name === 'stderr' ? 'row\n' : '';
    expect(system.stderrText()).toBe(`${erase}creating 1${erase}${after}`);
  });

  test('on a stdout that is a pipe leaves the line alone', async () => {
    const { system, streams, clock, progress } = start({ label: 'creating' }, { isTTY: { stderr: true } });
    clock.ms = 100;
    progress.tick();
    await streams.stdout.write('row\n');
    expect(system.stderrText()).toBe(`${erase}creating 1`);
  });
});
