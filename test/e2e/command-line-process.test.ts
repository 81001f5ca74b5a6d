import { execFile, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { orgctl, useToolOnPath } from '../support/built-tool.js';
import { hostilePeer, httpAnswer } from '../support/hostile-peer.js';
import { isMissing } from '../support/programs.js';
import { runProcess } from '../support/run-built-tool.js';
import { emptyEnvironment, temporaryDirectory } from '../support/run-cli.js';

// What only a process has: real pipes, and signals of the system.
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

/** Starts orgctl; signals go to it, not to a shell round it. */
function start(args: readonly string[], env: Record<string, string>) {
  const child = spawn(orgctl[0], [...orgctl.slice(1), ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(
    ([[code, signal], stdout, stderr]) => ({ code, signal, stdout, stderr }),
  );
  return { child, ended };
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

it('a disk that is full ends the recording of a proxy with one warning, and not the proxy', async () => {
  const peer = await hostilePeer(() => httpAnswer(200, { data: [] }));
  const directory = temporaryDirectory();
  const script = `(async () => {
    for (let at = 0; at < 50; at += 1) await (await fetch(process.env.ORGCTL_BASE_URL + '/teams')).text();
  })()`;
  const line = 'ulimit -f 8 && exec orgctl proxy -q --record "$0/calls.jsonl" -- "$1" -e "$2"';
  const env = environment(peer.origin);
  const ended = await runProcess('sh', ['-c', line, directory, process.execPath, script], { env });
  expect(ended.code).toBe(0);
  expect(peer.requests).toHaveLength(50);
  const file = join(directory, 'calls.jsonl');
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  for (const whole of lines) expect(JSON.parse(whole)).toMatchObject({ target: '/teams' });
  expect(readFileSync(file, 'utf8').endsWith('}\n')).toBe(true);
  expect(ended.stderr).toMatch(/^\S+ {2}error: recording stopped: [^\n]+\n$/);
  expect(ended.stderr).toContain(`; ${file} has what came before\n`);
});

it.each([
  ['a new secret file', 3, ['api-keys', 'create', '--name', 'a', '--secret-file', 'a.secret']],
  ['a relative directory of data', 3, ['serve', 'check', '--data', 'data']],
  ['an organization file', 3, ['apply', '/dev/null', '--yes']],
])('a working directory that was removed is named, and is no bug: %s', async (_what, code, args) => {
  const line = 'cd "$0" && rmdir "$0" && exec orgctl "$@"';
  const ended = await runProcess('sh', ['-c', line, temporaryDirectory(), ...args], { env: environment() });
  expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining('no longer exists') });
});

it('a disk without room for one exchange leaves no recording, and the warning says so', async () => {
  const peer = await hostilePeer(() => httpAnswer(200, { data: [] }));
  const file = join(temporaryDirectory(), 'calls.jsonl');
  const script = 'fetch(process.env.ORGCTL_BASE_URL)';
  const line = 'ulimit -f 0 && exec orgctl proxy -q --record "$0" -- "$1" -e "$2"';
  const env = environment(peer.origin);
  const ended = await runProcess('sh', ['-c', line, file, process.execPath, script], { env });
  expect(ended.stderr).toMatch(/^\S+ {2}error: recording stopped: [^\n]+\n$/);
  expect(existsSync(file)).toBe(false);
});

it('a proxy that is terminated again does not wait for the response under way', async () => {
  const peer = await hostilePeer(() => 'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf');
  const { child, ended } = start(
    ['proxy', '--port', '0', '--no-console', '-o', 'json'],
    environment(peer.origin),
  );
  const [line] = await once(child.stdout, 'data');
  const response = await fetch(`${JSON.parse(String(line)).url}/teams`);
  const again = setInterval(() => child.kill('SIGTERM'), 100);
  await expect(response.text()).rejects.toThrow();
  expect(await ended).toMatchObject({ code: null, signal: 'SIGTERM' });
  clearInterval(again);
});

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
  // What a secret's answer may look like, and by which commands it comes, is test/commands/once-shown-secrets.test.ts's.
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

/** Whether a process has a listener for a signal. */
function isCaught(signal: NodeJS.Signals, pid: number | undefined): boolean {
  const [, caught = '0'] = /^SigCgt:\s*([\da-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (BigInt(`0x${caught}`) & (1n << BigInt(constants.signals[signal] - 1))) !== 0n;
}

// Linux tells which signals a process has a listener for: while it parses, which takes seconds here, there are none.
it.runIf(process.platform === 'linux')('a signal while a long text is parsed ends it at once', async () => {
  const signal = 'SIGTERM';
  const { child, ended } = start(['diff', '-'], environment());
  const hasListener = () => isCaught(signal, child.pid);
  await expect.poll(hasListener, { interval: 10 }).toBe(true);
  child.stdin.on('error', () => undefined).end(`[${'a, '.repeat(170_000)}]`);
  await expect.poll(hasListener, { interval: 10 }).toBe(false);
  child.kill(signal);
  expect(await ended).toEqual({ code: null, signal, stdout: '', stderr: '' });
});

it.skipIf(isMissing('bash')).each(['orgctl connections create --dry-run -o json --file <(echo "$entry")'])(
  'a stream is read: %s',
  async (line) => {
    const entry = '{"name":"piped","type":"x","config":{}}';
    const env = { ...emptyEnvironment(), PATH: `${toolDirectory}:${process.env['PATH']}`, entry };
    expect((await pipeline(line, env)).stdout.join('')).toContain('piped');
  },
);
