import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { orgctl } from '../support/built-tool.js';
import { runBundle } from '../support/run-built-tool.js';
import { emptyEnvironment, temporaryDirectory } from '../support/run-cli.js';

const env = emptyEnvironment();

/** The built tool as a process that goes on, and its next line on stdout. It ends with the test. */
function started(args: readonly string[]) {
  const child = spawn(orgctl[0], [...orgctl.slice(1), ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface(child.stdout);
  const line = async () => {
    const [text] = await once(lines, 'line');
    return JSON.parse(String(text));
  };
  return { child, line };
}

async function served(data: string) {
  const serve = ['serve', '--http', '--port', '0', '--no-profile', '-o', 'json', '--data', data];
  const { child, line } = started(serve);
  return { child, ready: await line() };
}

async function ended(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const end = once(child, 'exit');
  child.kill(signal);
  await end;
}

it('a server leaves server.json for its owner while it runs, by which it is steered and followed', async () => {
  const data = temporaryDirectory();
  const path = join(data, 'server.json');
  const local = (...args: string[]) => runBundle(['local', ...args, '--data', data], { env });
  const { child, ready } = await served(data);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const status = await local('status', '-o', 'json');
  expect(JSON.parse(status.stdout)).toMatchObject({ url: ready.url, pid: child.pid });

  const service = { ORGCTL_BASE_URL: ready.url, ORGCTL_KEY_ID: ready.keyId, ORGCTL_SECRET: ready.secret };
  expect(await runBundle(['teams', 'list'], { env: { ...env, ...service } })).toMatchObject({ code: 0 });
  const followed = started(['local', 'logs', '--follow', '-o', 'jsonl', '--data', data]);
  expect(await followed.line()).toMatchObject({ target: '/teams', status: 200 });

  await ended(child, 'SIGTERM');
  expect(existsSync(path)).toBe(false);
  expect(await local('status')).toMatchObject({ code: 3 });

  const again = await served(data);
  await ended(again.child, 'SIGKILL');
  expect(existsSync(path)).toBe(true);
  const stale = await local('status');
  expect(stale).toMatchObject({ code: 3, stderr: expect.stringContaining('is no longer running') });
});
