import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';

const credentials = { ORGCTL_BASE_URL: 'https://127.0.0.1:1', ORGCTL_KEY_ID: 'key_a', ORGCTL_SECRET: 's' };

function fifo(name = 'fifo'): string {
  const path = join(temporaryDirectory(), name);
  execFileSync('mkfifo', ['-m', '600', path]);
  return path;
}

/** What opening would wait for, or reading never come to the end of. */
const odd: [string, () => string | Promise<string>, string][] = [
  ['a FIFO', fifo, 'it is a FIFO, not a file'],
  [
    'a link to one',
    () => {
      const path = join(temporaryDirectory(), 'link');
      symlinkSync(fifo(), path);
      return path;
    },
    'it is a FIFO, not a file',
  ],
  ['a device', () => '/dev/zero', 'it is a device, not a file'],
  [
    'a socket',
    async () => {
      const path = join(temporaryDirectory(), 's');
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(path, resolve));
      onTestFinished(() => void server.close());
      return path;
    },
    'no such device or address',
  ],
];

describe.each(odd)('%s is refused and not waited for', (_what, make, message) => {
  it.each<[string, (path: string) => string[], number]>([
    ['a CA', (path) => ['quotas', '--ca-file', path], 3],
    ['--file', (path) => ['connections', 'create', '--file', path], 2],
    ['--data', (path) => ['request', 'POST', '/teams', '--data', `@${path}`], 2],
    ['--seed', (path) => ['serve', '--ephemeral', '--seed', path], 2],
    ['--tls-cert', (path) => ['serve', '--ephemeral', '--tls-cert', path, '--tls-key', path], 2],
  ])('as %s', async (_name, args, code) => {
    const ended = await runCli(args(await make()), { env: { ...emptyEnvironment(), ...credentials } });
    expect(ended).toEqual({ code, stdout: '', stderr: expect.stringContaining(message) });
  });

  it.each([['profile', 'list'], ['profile', 'use', 'a'], ['quotas']])(
    'as the profiles: %s %s',
    async (...args) => {
      const env = emptyEnvironment();
      const directory = String(env['ORGCTL_CONFIG_DIR']);
      mkdirSync(directory, { mode: 0o700 });
      symlinkSync(await make(), join(directory, 'profiles.json'));
      const ended = await runCli([...args], { env });
      expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining(message) });
    },
  );

  it('as the master key', async () => {
    const data = join(temporaryDirectory(), 'data');
    mkdirSync(data, { mode: 0o700 });
    symlinkSync(await make(), join(data, 'master.key'));
    const ended = await runCli(['serve', '--data', data, '--port', '0', '--no-profile']);
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('master.key') });
  });
});

it('data is empty from /dev/null', async () => {
  const ended = await runCli(['sign', 'POST', '/teams', '-d', '@/dev/null', '--timestamp', '1'], {
    env: { ...emptyEnvironment(), ...credentials },
  });
  expect(ended.code).toBe(0);
});
