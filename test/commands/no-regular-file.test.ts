import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';

const credentials = { ORGCTL_BASE_URL: 'https://127.0.0.1:1', ORGCTL_KEY_ID: 'key_a', ORGCTL_SECRET: 's' };

function fifo(): string {
  const path = join(temporaryDirectory(), 'fifo');
  execFileSync('mkfifo', ['-m', '600', path]);
  return path;
}

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
});
