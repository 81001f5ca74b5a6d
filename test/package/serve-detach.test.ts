import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isRunning } from '../../src/terminal/process/system.js';
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
  const seed = join(temporaryDirectory(), 'seed.json');
  writeFileSync(seed, '{"organizations":[{"name":"a"}]}');
  const started = await serve('-o', 'json');
  expect(started).toMatchObject({ code: 0, stderr: '' });
  const { event, url, pid } = JSON.parse(started.stdout);
  expect(event).toBe('ready');
  expect(statSync(log).mode & 0o777).toBe(0o600);
  expect(await local('wait')).toMatchObject({ code: 0, stdout: `${url}\n` });
  expect(await local('stop')).toMatchObject({ code: 0 });
  expect(isRunning(pid)).toBe(false);
  expect(existsSync(join(data, 'server.json'))).toBe(false);
  const again = await serve('--seed', seed);
  expect(again).toMatchObject({ code: 0, stdout: '' });
  expect(again.stderr).toContain('orgctl serve is ready.');
  expect(again.stderr).toContain('warning: the seed was not applied');
  expect(again.stderr).toContain(`stop it: orgctl local stop --data ${data}`);
  expect(again.stderr).toContain(`show the secret: orgctl local key --data ${data}`);
});
