import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { profileStore } from '../../src/profiles/file/store.js';
import { isRunning } from '../../src/terminal/process/process-system.js';
import { Caller } from '../server/support/caller.js';
import { script } from '../support/built-tool.js';
import { isMissing } from '../support/programs.js';
import { emptyEnvironment, temporaryDirectory } from '../support/run-cli.js';
import { startServeProcess } from '../support/serve-process.js';

// What only a process has: signals of the system, a terminal that is closed, a package that is not there.
const node = process.execPath;

describe('serve', () => {
  const left = (directory: string) =>
    readdirSync(directory).filter((name) => /^(ready|orgctl-serve-)/.test(name));

  it('ends the command first at a signal, then leaves nothing behind', async () => {
    const own = temporaryDirectory();
    const env = { ...emptyEnvironment(), PATH: process.env['PATH'], TMPDIR: own };
    const flags = ['-q', '--ready-file', join(own, 'ready.json'), '--save-profile', 'try'];
    const args = ['serve', ...flags, '--', 'sh', '-c', 'echo $$; exec sleep 600'];
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    const serve = spawn(node, [script, ...args], { env, stdio: [...stdio] });
    onTestFinished(() => void serve.kill('SIGKILL'));
    const [pid] = await once(createInterface(serve.stdout), 'line');
    expect(left(own)).toContain('ready.json');
    serve.kill('SIGINT');
    const [[...end], stderr] = await Promise.all([once(serve, 'close'), text(serve.stderr)]);
    expect([end, stderr, left(own)]).toEqual([[130, null], '', []]);
    expect(isRunning(Number(pid))).toBe(false);
    const store = profileStore({ env, platform: process.platform, homedir: '/' });
    expect((await store.read()).profiles).toEqual({});
  });

  it.skipIf(isMissing('script'))(
    'ends as hung up, and does not crash, when its terminal is closed',
    async () => {
      const own = temporaryDirectory();
      const env = { ...emptyEnvironment(), PATH: process.env['PATH'], TMPDIR: own, SHELL: '/bin/sh' };
      const [ready, ended] = [join(own, 'ready.json'), join(own, 'code')];
      const serve = `${node} ${script} serve --ephemeral --port 0 --ready-file ${ready}`;
      const lines = `trap 'kill -HUP $pid' HUP; ${serve} & pid=$!; wait $pid; wait $pid; echo $? > ${ended}`;
      const stdio = ['pipe', 'pipe', 'ignore'] as const;
      const terminal = spawn('script', ['-q', '-c', lines, '/dev/null'], { env, stdio: [...stdio] });
      onTestFinished(() => void terminal.kill('SIGKILL'));
      terminal.stdout.resume();
      const contentOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
      await expect.poll(() => contentOf(ready)).toContain('ready');
      terminal.kill('SIGKILL');
      await expect.poll(() => contentOf(ended)).toBe('129\n');
      expect(left(own)).toEqual([]);
    },
  );

  it('is not kept from stopping by a log that nobody reads', async () => {
    const { process: child, server } = await startServeProcess({ stderr: 'pipe' });
    const caller = new Caller(server);
    const target = `/nowhere/${'x'.repeat(8000)}`;
    const refusals = Array.from({ length: 100 }, () => caller.send('GET', target, { auth: 'none' }));
    expect(new Set((await Promise.all(refusals)).map(({ status }) => status))).toEqual(new Set([401]));
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([143, null]);
  });
});
