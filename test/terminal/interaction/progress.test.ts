import { expect, test } from 'vitest';
import { startProgress } from '../../../src/terminal/interaction/progress.js';
import { makeStreams } from '../../../src/terminal/output/streams.js';
import { memorySystem } from '../../support/memory-system.js';

const erase = '\r\u001b[K';

function start(options: { readonly isTTY?: boolean; readonly quiet?: boolean; readonly columns?: number }) {
  const { quiet = false, ...size } = options;
  const system = memorySystem({ isTTY: true, ...size });
  const streams = makeStreams(system);
  const clock = { ms: 0 };
  const context = { streams, quiet, now: () => clock.ms };
  return { system, streams, clock, progress: startProgress(context, { label: 'creating', total: 500 }) };
}

test('is one line, redrawn at most ten times a second, and erased at the end and before text', async () => {
  const { system, streams, clock, progress } = start({});
  for (let ms = 0; ms < 250; ms++) {
    clock.ms = ms;
    progress.tick();
  }
  progress.done();
  const shown = `${erase}creating 101/500${erase}creating 201/500${erase}`;
  expect(system.stderrText()).toBe(shown);
  clock.ms = 500;
  progress.tick();
  await streams.stderr.write('row\n');
  expect(system.stderrText()).toBe(`${shown}${erase}creating 251/500${erase}row\n`);
});

test.each([
  [{ isTTY: false }, ''],
  [{ quiet: true }, ''],
  [{ columns: 8 }, `${erase}creatin`],
])('with %j shows %j', (options, text) => {
  const { system, clock, progress } = start(options);
  clock.ms = 1000;
  progress.tick();
  expect(system.stderrText()).toBe(text);
});
