import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { makeStreams } from '../../../src/terminal/output/streams.js';
import { obeyConsoleKeys } from '../../../src/verbs/serve/console-keys.js';
import { memorySystem } from '../../support/memory-system.js';

it('a server that ends while fg still decides who reads the terminal leaves stdin closed', async () => {
  // There, the decision needs no terminal.
  const system = memorySystem({ isTTY: true, platform: 'win32' });
  const control = Object.create(null);
  const end = await obeyConsoleKeys({ control }, { system, streams: makeStreams(system) });
  expect(system.stdin.isPaused()).toBe(false);
  system.raise('SIGCONT');
  end();
  await setImmediate();
  await setImmediate();
  expect(system.stdin.isPaused()).toBe(true);
});
