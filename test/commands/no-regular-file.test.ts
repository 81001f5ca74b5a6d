import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';

const credentials = { ORGCTL_BASE_URL: 'https://127.0.0.1:1', ORGCTL_KEY_ID: 'key_a', ORGCTL_SECRET: 's' };

function fifo(): string {
  const path = join(temporaryDirectory(), 'fifo');
  execFileSync('mkfifo', ['-m', '600', path]);
  return path;
}

function linkTo(target: string, directory = temporaryDirectory(), name = 'link'): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  symlinkSync(target, join(directory, name));
  return join(directory, name);
}

async function socket(): Promise<string> {
  const path = join(temporaryDirectory(), 's');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  return path;
}

/** What opening would wait for, or reading never come to the end of. */
const odd: readonly [string, () => string | Promise<string>, string][] = [
  ['a FIFO', fifo, 'it is a FIFO, not a file'],
  ['a link to one', () => linkTo(fifo()), 'it is a FIFO, not a file'],
  ['a device', () => '/dev/zero', 'it is a device, not a file'],
  ['a socket', socket, 'no such device or address'],
];

it.each(odd)('%s is refused and not waited for', async (_what, make, message) => {
  const path = await make();
  const ended = await runCli(['connections', 'create', '--file', path]);
  expect(ended).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
});

describe('a FIFO is refused and not waited for', () => {
  const message = 'it is a FIFO, not a file';

  it.each<[string, (path: string) => string[], number]>([
    ['a CA', (path) => ['quotas', '--ca-file', path], 3],
    ['--data', (path) => ['request', 'POST', '/teams', '--data', `@${path}`], 2],
    ['--seed', (path) => ['serve', '--ephemeral', '--seed', path], 2],
    ['--tls-cert', (path) => ['serve', '--ephemeral', '--tls-cert', path, '--tls-key', path], 2],
  ])('as %s', async (_name, args, code) => {
    const ended = await runCli(args(fifo()), { env: { ...emptyEnvironment(), ...credentials } });
    expect(ended).toEqual({ code, stdout: '', stderr: expect.stringContaining(message) });
  });

  it.each([['profile list'], ['profile use a'], ['quotas']])('as the profiles: %s', async (line) => {
    const env = emptyEnvironment();
    linkTo(fifo(), String(env['ORGCTL_CONFIG_DIR']), 'profiles.json');
    const ended = await runCli(line.split(' '), { env });
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining(message) });
  });

  it('as the master key', async () => {
    const data = join(temporaryDirectory(), 'data');
    linkTo(fifo(), data, 'master.key');
    const ended = await runCli(['serve', '--data', data, '--port', '0', '--no-profile']);
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('master.key') });
  });
});

it('data is empty from /dev/null', async () => {
  const env = { ...emptyEnvironment(), ...credentials };
  expect((await runCli(['sign', 'POST', '/teams', '-d', '@/dev/null'], { env })).code).toBe(0);
});
