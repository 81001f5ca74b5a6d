import { describe, expect, it, vi } from 'vitest';
import { type Behaviour, hostilePeer, httpAnswer, unusedPort } from '../support/hostile-peer.js';
import type { MemorySystemOptions } from '../support/memory-system.js';
import { runCli, startCli, withProfileFile } from '../support/run-cli.js';
import { environmentOf } from './support/doctor.js';

const quota = (limit: number, used: number) => ({ limit, used, remaining: limit - used });

/** `GET /quotas` as the reference shows it. */
function quotasAnswer(record: unknown): string {
  return httpAnswer(200, { data: [record], total: 1, page: 1, limit: 20, pages: 1 });
}

function refusal(status: number, message: string): string {
  return httpAnswer(status, { statusCode: status, message });
}

const environment = (origin: string) => environmentOf(origin, { NO_COLOR: '1' });

/** Watches a peer that gives these answers in turn and then the last one again and again. */
async function watch(
  answers: readonly (string | Behaviour)[],
  args: readonly string[] = [],
  options: Omit<MemorySystemOptions, 'argv' | 'env'> = {},
) {
  const peer = await hostilePeer((request, socket, nth) => {
    const answer = answers[Math.min(nth, answers.length - 1)];
    return typeof answer === 'function' ? answer(request, socket, nth) : answer;
  });
  const interval = args.includes('--watch') ? [] : ['--watch', '100ms'];
  const started = startCli(['quotas', '--retries', '0', ...interval, ...args], {
    env: environment(peer.origin),
    ...options,
  });
  return { peer, ...started };
}

describe('quotas --watch in a pipe', () => {
  it('prints a line for each change, with its moment', async () => {
    const { peer, system, ended } = await watch([
      quotasAnswer({ teams: quota(4, 1), connections: quota(10, 2) }),
      quotasAnswer({ teams: quota(4, 1), connections: quota(10, 2) }),
      quotasAnswer({ teams: quota(4, 1), connections: quota(10, 10) }),
    ]);
    await peer.received(5);
    system.raise('SIGINT');
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
    expect(
      stdout.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'when                    ').split('\n'),
    ).toEqual([
      'TIME                      KIND         LIMIT  USED  REMAINING  USAGE',
      'when                      teams            4     1          3  █████░░░░░░░░░░░░░░░  25%',
      'when                      connections     10     2          8  ████░░░░░░░░░░░░░░░░  20%',
      'when                      connections     10    10          0  ████████████████████ 100%',
      '',
    ]);
  });

  it('begins and goes on after failed readings, telling each failure once', async () => {
    const { peer, system, ended } = await watch(
      [
        refusal(503, 'not yet'),
        quotasAnswer({ teams: quota(4, 1) }),
        refusal(503, 'on \u001b[31mfire'),
        refusal(503, 'on \u001b[31mfire'),
        (_request, socket) => socket.destroy(),
        httpAnswer(200, '<html>', { 'Content-Type': 'text/html' }),
        quotasAnswer({ teams: quota(4, 2) }),
      ],
      ['-o', 'csv', '--columns', 'used'],
    );
    await peer.received(9);
    system.raise('SIGINT');
    const { code, stdout, stderr } = await ended;
    expect({ code, stdout }).toEqual({ code: 130, stdout: 'used\n1\n2\n' });
    const warning = expect.stringMatching(/^warning: /);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^warning: .*not yet/),
      expect.stringMatching(/^warning: .*on \\u\{1b\}\[31mfire.*; continuing$/),
      ...[warning, warning],
    ]);
  });

  it('says when it reads again, if the service asks for a longer wait than the interval', async () => {
    const limited = httpAnswer(429, { message: 'Too Many Requests' }, { 'Retry-After': '999999999' });
    const { system, ended } = await watch([limited]);
    await vi.waitFor(() => expect(system.stderrText()).toContain('continuing'));
    system.raise('SIGINT');
    expect((await ended).stderr).toBe('warning: Too Many Requests; continuing in 24d 20h\n');
  });

  it('prints an object for each change of every profile, failed ones too, and ends with 13 at the threshold', async () => {
    const { origin } = await hostilePeer((_request, _socket, nth) => quotasAnswer({ teams: quota(9, nth) }));
    const profile = (baseUrl: string) => ({ baseUrl, keyId: 'key_a', secret: 'a'.repeat(64) });
    const still = await hostilePeer(() => quotasAnswer({ teams: quota(9, 1) }));
    const down = profile(`http://127.0.0.1:${await unusedPort()}`);
    const profiles = { up: profile(origin), still: profile(still.origin), down };
    const env = withProfileFile({ version: 1, profiles });
    const args = ['quotas', '--watch', '100ms', '--all-profiles', '--fail-over', '20', '-o', 'jsonl'];
    const { code, stdout, stderr } = await runCli(args, { env });
    expect([code, stderr]).toEqual([13, expect.stringContaining('teams 2/9')]);
    const lines = stdout.trimEnd().split('\n');
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { time, profile: 'up', kind: 'teams', ...quota(9, 0) },
      { profile: 'still', kind: 'teams', used: 1 },
      { profile: 'down', error: { code: 'network' } },
      { profile: 'up', used: 1 },
      { profile: 'up', used: 2 },
    ]);
  });
});

describe('quotas --watch on a terminal', () => {
  it('clears it and draws the same table at each reading, until Ctrl-C', async () => {
    const { peer, system, ended } = await watch([quotasAnswer({ teams: quota(4, 1) })], [], { isTTY: true });
    await peer.received(3);
    system.raise('SIGINT');
    const { code, stdout, stderr } = await ended;
    const frames = stdout.split('\u001b[H\u001b[2J').slice(1);
    expect([code, frames.length]).toEqual([130, expect.any(Number)]);
    expect(new Set(frames)).toEqual(
      new Set([expect.stringContaining('teams      4     1          3  █████')]),
    );
    expect(stderr).toMatch(/^read at \d\d:\d\d:\d\d, every 100ms; Ctrl-C stops\n/);
  });

  it.each([
    ['where the terminal cannot move its cursor', { TERM: 'dumb' }, []],
    ['where a trace would be drawn over', {}, ['--verbose']],
  ])('prints lines %s', async (_where, changes, args) => {
    const peer = await hostilePeer(() => quotasAnswer({ teams: quota(4, 1) }));
    const env = { ...environment(peer.origin), ...changes };
    const started = startCli(['quotas', '--watch', '100ms', ...args], { env, isTTY: true, columns: 120 });
    await peer.received(2);
    started.system.raise('SIGINT');
    const { stdout } = await started.ended;
    expect(stdout).not.toContain('\u001b');
    expect(stdout.split('\n')).toHaveLength(3);
  });
});
