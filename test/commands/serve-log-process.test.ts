import { once } from 'node:events';
import { expect, it } from 'vitest';
import { Caller } from '../server/support/caller.js';
import { useBuiltTool } from '../support/built-tool.js';
import { startServeProcess } from '../support/serve-process.js';

useBuiltTool();

it('a log that nobody reads does not keep the server from stopping', async () => {
  const { process: child, server } = await startServeProcess({ stderr: 'pipe' });
  const caller = new Caller(server);
  const target = `/nowhere/${'x'.repeat(8000)}`;
  const refusals = Array.from({ length: 100 }, () => caller.send('GET', target, { auth: 'none' }));
  expect(new Set((await Promise.all(refusals)).map(({ status }) => status))).toEqual(new Set([401]));
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exited).toEqual([143, null]);
});
