import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useToolOnPath } from '../support/built-tool.js';
import { codeBlock } from '../support/pages.js';
import { runProcess } from '../support/run-built-tool.js';
import { emptyEnvironment, temporaryDirectory } from '../support/run-cli.js';

const page = 'docs/guides/local-service.md';
const backupPage = 'docs/operations/backup.md';
const directory = useToolOnPath();

function environment(): Record<string, string> {
  return { ...emptyEnvironment(), PATH: `${directory}:${process.env['PATH']}` };
}

/** Starts a server by a line of a shell, up to its ready line; it ends with the test, or when it is stopped. */
async function serving(line: string, env: Record<string, string>) {
  const child = spawn('sh', ['-c', `exec ${line}`], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const closed = once(child, 'close');
  onTestFinished(() => void child.kill('SIGKILL'));
  const [ready] = await once(createInterface(child.stdout), 'line');
  const stop = async () => {
    child.kill('SIGTERM');
    await closed;
  };
  return { ready: String(ready), stop };
}

/** Runs a block as it stands, up to the first line that fails. */
async function runs(script: string, env: Record<string, string>, cwd = temporaryDirectory()) {
  const { code, stdout, stderr } = await runProcess('sh', ['-ec', `cd ${cwd}\n${script}`], { env });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

describe('the pages about serve', () => {
  it('start one in the foreground, and one for a command', async () => {
    const [foreground = '', command = ''] = codeBlock(page, 'orgctl serve  ').split('\n');
    await (await serving(foreground.replace(/ +#.*$/, ' --port 0 -o json'), environment())).stop();
    await runs(command.replace('npm test', 'orgctl quotas'), environment());
  });

  it('starts a server for a program', async () => {
    const file = join(temporaryDirectory(), 'ready.json');
    const line = codeBlock(page, 'orgctl serve --ephemeral').replace('/tmp/ready.json', file);
    const { ready } = await serving(line, environment());
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(ready));
  });

  it('looks after the data', async () => {
    const env = environment();
    await (await serving('orgctl serve --port 0 -o json', env)).stop();
    const block = codeBlock(backupPage, 'orgctl serve check');
    const restored = block.replace('orgctl-2030-01-01.db', 'orgctl-$(date +%F).db');
    expect(restored).not.toBe(block);
    await runs(restored, env);
    await runs(codeBlock(backupPage, 'orgctl serve rotate-master-key'), env);
  });

  it('steers a server from the shell', async () => {
    const env = environment();
    mkdirSync(env['XDG_DATA_HOME'] ?? '');
    await serving('orgctl serve --port 0 -o json', env);
    await runs('orgctl local keys issue --name ci', env);
    const block = codeBlock(page, 'orgctl local status');
    // It goes on until it is stopped, such as by a reader that leaves.
    const script = block.replace(/ +# new POSTs as they arrive/, ' | head -n 0');
    expect(script).toContain('| head');
    await runs(script, env);
  });
});
