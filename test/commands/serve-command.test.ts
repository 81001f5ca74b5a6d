import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyEnvironment, errorOf, runCli, startCli, temporaryDirectory } from '../support/run-cli.js';

const node = process.execPath;

it.each([
  'serve npm test',
  'serve backpu --data d',
  'proxy curl -X --token=hunter2',
  'serve --database postgres://u:hunter2@h/d npm',
])('without -- starts nothing and repeats no word of %s', async (line) => {
  const ended = await runCli(['-o', 'json', ...line.split(' ')]);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).not.toContain('hunter2');
});

describe('serve -- command', () => {
  const script = (code: string, ...flags: string[]) => ['serve', ...flags, '--', node, '-e', code];

  it('keeps from the command what is for the server alone', async () => {
    const secret = '0123456789abcdef'.repeat(4);
    const own = {
      ORGCTL_SERVE_MASTER_KEY: 'a'.repeat(64),
      ORGCTL_SERVE_NEW_MASTER_KEY: 'b'.repeat(64),
      ORGCTL_SERVE_SECRET: secret,
      ORGCTL_SERVE_DATABASE: 'postgres://u:hunter2@127.0.0.1:1/db',
    };
    const env = { ...emptyEnvironment(), PATH: process.env['PATH'], PGPASSWORD: 'of the command', ...own };
    const ended = await runCli(script('console.log(JSON.stringify(process.env))'), { env });
    expect(ended.code).toBe(0);
    const seen: unknown = JSON.parse(ended.stdout);
    for (const name of Object.keys(own)) expect(seen).not.toHaveProperty(name);
    // The first key is for the command; and there was no database whose password that could be.
    expect(seen).toMatchObject({ ORGCTL_SECRET: secret, PGPASSWORD: 'of the command' });
    expect(await runCli(['serve', '--', 'true'], { env })).toMatchObject({ code: 0 });
  });

  it('ends as a shell does when there is no such command, or it cannot be run', async () => {
    const missing = await runCli(['serve', '--', './no-such-command']);
    expect(missing).toMatchObject({ code: 127, stderr: expect.stringContaining('./no-such-command') });
    const file = join(temporaryDirectory(), 'plain.txt');
    writeFileSync(file, 'no program', { mode: 0o644 });
    const unusable = await runCli(['serve', '-o', 'json', '--', file]);
    expect(unusable.code).toBe(126);
    expect(errorOf(unusable)).toMatchObject({
      code: 'usage',
      exitCode: 126,
      message: expect.stringContaining(file),
    });
  });

  it('stays until the command has ended, passes each signal on once, and keeps the exit code', async () => {
    const code = `
      let count = 0;
      process.on('SIGTERM', () => {
        count += 1;
        console.log('got ' + count);
        if (count === 2) setTimeout(() => process.exit(5), 100);
      });
      setInterval(() => undefined, 1000);
      console.log('waiting');`;
    const { system, ended } = startCli(script(code));
    const shows = (text: string) => expect.poll(() => system.stdoutText()).toContain(text);
    await shows('waiting');
    const listening = system.listenerCount('SIGTERM');
    system.raise('SIGTERM');
    await shows('got 1');
    // For other commands the system's own handling is back by then.
    await expect.poll(() => system.listenerCount('SIGTERM')).toBeLessThan(listening);
    expect(system.raise('SIGTERM')).toBe(true);
    expect(await ended).toMatchObject({ code: 5, stdout: 'waiting\ngot 1\ngot 2\n' });
  });

  it('does not pass on the Ctrl-C of a terminal, which reaches the command by itself', async () => {
    const code = `
      process.on('SIGINT', () => console.log('got it'));
      process.on('SIGTERM', () => process.exit(5));
      setInterval(() => undefined, 1000);
      console.log('waiting');`;
    const { system, ended } = startCli(script(code), { isTTY: { stderr: true } });
    await expect.poll(() => system.stdoutText()).toContain('waiting');
    system.raise('SIGINT');
    system.raise('SIGTERM');
    expect(await ended).toMatchObject({ code: 5, stdout: 'waiting\n' });
  });
});
