import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { root } from '../support/built-tool.js';

// As a test suite uses it: several servers, requests on connections that are kept, one that is still held up.
const script = `
  import { request } from 'node:http';
  import { startServer } from './dist/server.js';
  const servers = await Promise.all([
    startServer({ http: true, rateLimit: { requests: 5, window: 3_600_000 } }),
    startServer(),
    startServer({ http: true, faults: ['* *=delay:1h'] }),
  ]);
  await servers[0].control.restore(await servers[0].control.snapshot());
  const send = (server) => new Promise((resolve) => {
    request(server.url + '/quotas', (response) => response.resume().on('end', resolve))
      .on('error', resolve)
      .on('socket', (socket) => socket.unref())
      .end();
  });
  await send(servers[0]);
  const held = send(servers[2]);
  while ((await servers[2].control.faults.get())[0].hits === 0) await new Promise((resolve) => setImmediate(resolve));
  await Promise.all(servers.map((server) => server.close()));
  await held;
  console.log(JSON.stringify(process.getActiveResourcesInfo()));`;

it('a closed server leaves nothing open, and the process ends by itself', async () => {
  const args = ['--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: root,
    timeout: 25_000,
  });
  // That it came to its end is the proof; this names what a process killed by the timeout would have been kept by.
  expect(JSON.parse(stdout)).not.toContain('TCPServerWrap');
  expect(JSON.parse(stdout)).not.toContain('Timeout');
});
