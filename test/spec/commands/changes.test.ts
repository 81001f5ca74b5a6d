import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { foreignService } from '../../support/foreign-service.js';
import { httpAnswer } from '../../support/hostile-peer.js';
import { type Ended, errorOf, runCli, startCli } from '../../support/run-cli.js';
import { connections, fileOf } from '../support/connection-entries.js';
import {
  type Answer,
  createdAnswer,
  pageAnswer,
  pageOf,
  quotaAnswer,
  scriptedService,
} from '../support/scripted-service.js';

function rowsOf({ stdout }: Ended): Record<string, unknown>[] {
  return JSON.parse(stdout);
}

/** How many rows there are of each result. */
function resultsOf(ended: Ended): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { result } of rowsOf(ended)) counts[String(result)] = (counts[String(result)] ?? 0) + 1;
  return counts;
}

/** A service with room for 2,000 connections, which creates as the test says. */
function creating(answer: Answer = createdAnswer) {
  return scriptedService({ 'GET /quotas': () => quotaAnswer(2000), 'POST /connections': answer });
}

describe('a reader that leaves', () => {
  const file = fileOf(connections(60));

  it('stops no change that was begun, and hides no failure', async () => {
    for (const failing of [false, true]) {
      const answer: Answer = (request) =>
        failing && request.nth === 59 ? httpAnswer(422, { message: 'no' }) : createdAnswer(request);
      const { env, posted } = await creating(answer);
      const run = startCli(['connections', 'create', '--file', file, '-o', 'jsonl'], { env });
      run.system.closeStdout();
      const ended = await run.ended;
      expect(posted()).toHaveLength(60);
      expect(ended).toMatchObject({ code: failing ? 12 : 0, stdout: '' });
    }
  });
});

it('bulk work that is interrupted prints the rows so far, says what is unknown and how to go on', async () => {
  const { env, peer, posted } = await creating((request) =>
    request.nth < 20 ? createdAnswer(request) : undefined,
  );
  const file = fileOf(connections(100));
  const { ended: end, system } = startCli(['connections', 'create', '--file', file, '-o', 'json'], { env });
  await peer.received(20 + 8);
  system.raise('SIGINT');
  const ended = await end;
  expect(ended.code).toBe(130);
  expect(posted()).toHaveLength(28);
  expect(resultsOf(ended)).toEqual({ created: 20, 'outcome unknown': 8, 'not tried': 72 });
  expect(errorOf(ended)).toMatchObject({
    code: 'interrupted',
    hint: expect.stringContaining('100 connections: 20 created, 8 with unknown outcome, 72 not tried'),
  });
  expect(errorOf(ended)['hint']).toContain('--skip-existing');
});

/** Time stands still but for what is returned, which has so many milliseconds pass. */
function holdTime(): (milliseconds: number) => void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  return (milliseconds) => void vi.advanceTimersByTime(milliseconds);
}

it.each(['teams list --all', 'request GET /teams --paginate'])(
  '%s ends when all pages together took longer than the deadline, however many there are said to be',
  async (line) => {
    const passTime = holdTime();
    const { env } = await scriptedService({
      'GET /teams': (request) => {
        passTime(100);
        const page = pageOf(request);
        return pageAnswer([{ id: `${page}` }], { total: 1e9, page, pages: 1e9 + page });
      },
    });
    const { code, stdout, stderr } = await runCli(
      [...line.split(' '), '--deadline', '300ms', '-o', 'jsonl'],
      { env },
    );
    expect([code, stdout.startsWith('{"id":"1"}\n{"id":"2"}\n')]).toEqual([9, true]);
    expect(stderr).toMatch(/the deadline of 300ms.*raise the deadline.*600ms/);
  },
);

it.each([
  ['teams list --all', 'reading teams 2/2'],
  [`connections create --file ${fileOf(connections(2))}`, 'creating connections 1/2'],
])('a terminal shows how far long work is: %s', async (line, shown) => {
  const passTime = holdTime();
  const { env } = await scriptedService({
    'GET /teams': (request) => {
      passTime(150);
      const page = pageOf(request);
      return pageAnswer([{ id: `${page}` }], { total: 2, page, pages: 2 });
    },
    'POST /connections': (request) => {
      passTime(150);
      return createdAnswer(request);
    },
  });
  const stderr = async (text: string) => (await runCli(text.split(' '), { env, isTTY: true })).stderr;
  expect(await stderr(line)).toContain(`\r\u001b[K${shown}`);
  expect(await stderr(`${line} -q`)).not.toContain(shown);
});

const config = { host: 'db', port: 5432, database: 'app', user: 'app', ssl: true };

it.each([['conn_a'], ['conn_a', 'conn_b']])(
  'settings that a change has dropped are named, and no further one is changed: %j %j',
  async (...ids) => {
    const one = (id: string, settings: object) => ({ id, name: id, type: 'pg', config: settings });
    const stored = new Map(['conn_a', 'conn_b'].map((id) => [id, one(id, config)]));
    const read = (id: string) => httpAnswer(200, stored.get(id));
    const calls = [...stored.keys()].flatMap((id): [string, Answer][] => [
      [`GET /connections/${id}`, () => read(id)],
      [
        `PATCH /connections/${id}`,
        () => {
          stored.set(id, one(id, { host: 'db2' }));
          return read(id);
        },
      ],
    ]);
    const list = () => pageAnswer([...stored.values()], { total: 2, page: 1, pages: 1 });
    const { env, peer } = await scriptedService({ 'GET /connections': list, ...Object.fromEntries(calls) });
    const ended = await runCli(['connections', 'update', ...ids, '--host', 'db2'], { env });
    expect(ended.code).toBe(ids.length === 1 ? 10 : 12);
    const dropped = 'dropped config.port, config.database, config.user, config.ssl';
    expect(ended.stdout + ended.stderr).toContain(
      `connection conn_a was changed, but the service ${dropped}`,
    );
    expect(peer.requests.filter(({ method }) => method === 'PATCH').length).toBe(1);
  },
);

const quotas = { body: { teams: { limit: 1, used: 0, remaining: 1 } } };

it('a hostile service has headers and fields that are no text for a terminal, or too long', async () => {
  const long = 'x'.repeat(15_000);
  const { env } = await foreignService({
    quotas,
    list: () => ({
      body: { items: [{ id: 'a', '\u001b[31m': 1, [long]: 2 }], '\u001b[2J': 1 },
      headers: { [`X-${'h'.repeat(8000)}`]: '1', 'RateLimit-\u0041': '1' },
    }),
  });
  for (const args of [[], ['-o', 'yaml'], ['-o', 'json']]) {
    const ended = await runCli(['probe', ...args], { env, isTTY: true, columns: 100 });
    expect(ended.code).toBe(0);
    expect(`${ended.stdout}${ended.stderr}`).not.toMatch(/\p{Cc}\[(?:31m|2J)|x{200}|h{200}/u);
  }
});

it('the waits of all attempts count toward --deadline', async () => {
  const limited = httpAnswer(429, { statusCode: 429, message: 'Too Many Requests' }, { 'Retry-After': '1' });
  const { peer, env } = await scriptedService({ 'GET /teams': () => limited });
  const { code } = await runCli(['teams', 'list', '--deadline', '1500ms', '--retries', '9'], { env });
  expect([code, peer.requests.length]).toEqual([8, 2]);
});
