import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isSameProcess } from '../../src/terminal/process/process-system.js';
import { isStandalone, root } from '../support/built-tool.js';
import { runBuiltTool, runBundle } from '../support/run-built-tool.js';
import { emptyEnvironment, temporaryDirectory } from '../support/run-cli.js';

function detached() {
  const data = temporaryDirectory();
  const env = emptyEnvironment();
  const local = (verb: string) => runBundle(['local', verb, '--data', data], { env });
  const serve = (...more: string[]) =>
    runBuiltTool(['serve', '--detach', '--http', '--port', '0', '--no-console', '--data', data, ...more], {
      env,
    });
  onTestFinished(async () => void (await local('stop')));
  return { data, log: join(data, 'serve.log'), local, serve };
}

it('runs in the background when it is ready, and is stopped by local stop', async () => {
  const { data, log, local, serve } = detached();
  const started = await serve('-o', 'json');
  expect(started).toMatchObject({ code: 0, stderr: '' });
  const { event, url, pid } = JSON.parse(started.stdout);
  expect(event).toBe('ready');
  expect(statSync(log).mode & 0o777).toBe(0o600);
  expect(await local('wait')).toMatchObject({ code: 0, stdout: `${url}\n` });
  expect(await local('stop')).toMatchObject({ code: 0 });
  expect(isSameProcess(pid, undefined)).toBe(false);
  expect(existsSync(join(data, 'server.json'))).toBe(false);
  const again = await serve();
  expect(again).toMatchObject({ code: 0, stdout: '' });
  expect(again.stderr).toContain('orgctl serve is ready.');
  expect(again.stderr).toContain(`orgctl local stop --data ${data} stops it.`);
  expect(again.stderr).toContain(`orgctl local key --data ${data} shows the secret.`);
});

it('fails as the server does, and says who has the data', async () => {
  const { serve } = detached();
  const { url, pid } = JSON.parse((await serve('-o', 'json')).stdout);
  const second = await serve('-o', 'json');
  expect(second).toMatchObject({ code: 3, stdout: '', stderr: expect.stringMatching(/^\{"error":.*\}\n$/) });
  expect(second.stderr).toContain(`in use by a server (${url}, process ${pid})`);
  const hint = 'choose another data directory, or stop that server';
  expect(JSON.parse(second.stderr).error.hint).toBe(hint);
  expect(await serve('--fault', 'nonsense')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nonsense'),
  });
});

it('starts after it was killed, and makes its log private', async () => {
  const { log, serve } = detached();
  const { pid } = JSON.parse((await serve('-o', 'json')).stdout);
  process.kill(pid, 'SIGKILL');
  chmodSync(log, 0o644);
  const { url, ...ready } = JSON.parse((await serve('--log', 'json', '-o', 'json')).stdout);
  expect(statSync(log).mode & 0o777).toBe(0o600);
  await fetch(`${url}/quotas`, { headers: { connection: 'close' } });
  await expect.poll(() => readFileSync(log, 'utf8')).toContain('"target":"/quotas"');
  expect(readFileSync(log, 'utf8')).not.toContain(ready.secret);
});

it('is refused where it could not be found again, and for what is no file', async () => {
  const { log, serve } = detached();
  expect((await serve('--', 'true')).code).toBe(2);
  const inMemory = await runBuiltTool(['serve', '--detach', '--ephemeral'], { env: emptyEnvironment() });
  expect(inMemory).toMatchObject({ code: 2, stderr: expect.stringContaining('--ephemeral') });
  mkdirSync(log);
  expect(await serve()).toMatchObject({ code: 3, stderr: expect.stringContaining(log) });
});

it.skipIf(isStandalone)('whose installation was replaced under it can still be stopped', async () => {
  const { data, local } = detached();
  const copy = temporaryDirectory();
  for (const name of ['bin', 'dist', 'node_modules', 'package.json']) {
    if (name === 'node_modules') symlinkSync(join(root, name), join(copy, name));
    else cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  const args = ['serve', '--detach', '--http', '--port', '0', '--data', data, '-o', 'json'];
  const env = emptyEnvironment();
  const ready = execFileSync(process.execPath, [join(copy, 'bin', 'orgctl.js'), ...args], { env });
  expect((await local('status')).code).toBe(0);
  rmSync(join(copy, 'dist'), { recursive: true });
  const page = await fetch(new URL('/', JSON.parse(ready.toString()).console));
  expect(page.status).toBe(503);
  expect(await page.text()).toContain('restart it');
  expect(await local('stop')).toMatchObject({ code: 0 });
});
