import { execFile, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { orgctl, useToolOnPath } from '../support/built-tool.js';
import { hostilePeer, httpAnswer } from '../support/hostile-peer.js';
import { isMissing } from '../support/programs.js';
import { emptyEnvironment } from '../support/run-cli.js';

// What only a process has: real pipes.
const toolDirectory = useToolOnPath();

function environment(baseUrl = 'https://api.example.com'): Record<string, string> {
  return {
    ...emptyEnvironment(),
    PATH: `${toolDirectory}:${process.env['PATH']}`,
    ORGCTL_BASE_URL: baseUrl,
    ORGCTL_KEY_ID: 'key_a',
    ORGCTL_SECRET: '0123456789abcdef'.repeat(4),
  };
}

/** A pipeline; its last line of stdout is orgctl's exit code. */
async function pipeline(line: string, env: Record<string, string>) {
  const { stdout, stderr } = await promisify(execFile)(
    'bash',
    ['--norc', '-c', `${line}; echo "\n$\{PIPESTATUS[0]}"`],
    { env, maxBuffer: 2 ** 26 },
  );
  return { stdout: stdout.split('\n'), stderr };
}

describe.skipIf(isMissing('bash'))('a pipe', () => {
  it('whose reader leaves ends a request that still waits, with 0', async () => {
    const reader = new EventEmitter();
    const left = once(reader, 'left');
    const page = { data: [{ number: 1 }], total: 2, page: 1, limit: 1, pages: 2 };
    const peer = await hostilePeer(async ({ target }, socket) => {
      await left;
      if (!target.includes('page=2')) socket.write(httpAnswer(200, page));
    });
    const args = ['request', 'GET', '/x', '--paginate', '-o', 'jsonl'];
    const child = spawn(orgctl[0], [...orgctl.slice(1), ...args], { env: environment(peer.origin) });
    const ended = Promise.all([once(child, 'exit'), text(child.stderr)]);
    await peer.received();
    child.stdout.destroy();
    reader.emit('left');
    const [[code], stderr] = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it.runIf(process.platform === 'linux')('that is full is an error', async () => {
    for (const args of ['sign GET /x', '--help']) {
      const { stdout, stderr } = await pipeline(`orgctl ${args} > /dev/full`, environment());
      expect(stdout.at(-2)).toBe('3');
      expect(stderr).toMatch(/^error: cannot write to standard output: .*ENOSPC/);
    }
  });
});

describe('a new secret that stdout does not take', () => {
  const secret = `${'Zq7'.repeat(21)}x`;
  // What a secret's answer may look like, and by which commands it comes, is test/spec/commands/once-shown-secrets.test.ts's.
  it.runIf(process.platform === 'linux' && !isMissing('bash')).each<[string, object, number]>([
    ['>&-', { id: 'key_new', secret }, 0],
    ['> /dev/full', { id: 'key_new', secret }, 3],
    ['> /dev/full', { data: { secret } }, 10],
  ])('%s: is in a file', async (redirection, answer, code) => {
    const peer = await hostilePeer(() => httpAnswer(201, answer));
    const env = environment(peer.origin);
    const { stdout, stderr } = await pipeline(`orgctl api-keys create --name ci ${redirection}`, env);
    const directory = env['ORGCTL_CONFIG_DIR'] ?? '';
    const [name = ''] = readdirSync(directory).filter((each) => each.startsWith('recovered-'));
    expect(stderr).toContain(join(directory, name));
    expect(stderr).not.toContain(secret);
    expect(stdout.at(-2)).toBe(String(code));
  });
});
