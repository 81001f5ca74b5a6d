import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { connection, connections, fileOf } from '../../commands/support/connection-entries.js';
import {
  type Answer,
  createdAnswer,
  pageAnswer,
  pageOf,
  quotaAnswer,
  scriptedService,
} from '../../commands/support/scripted-service.js';
import { httpAnswer } from '../../support/hostile-peer.js';
import { type Ended, errorOf, runCli, startCli } from '../../support/run-cli.js';

function rowsOf({ stdout }: Ended): Record<string, unknown>[] {
  return JSON.parse(stdout);
}

/** How many rows there are of each result. */
function resultsOf(ended: Ended): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { result } of rowsOf(ended)) counts[String(result)] = (counts[String(result)] ?? 0) + 1;
  return counts;
}

function create(count: number, args: readonly string[], env: Record<string, string | undefined>) {
  return runCli(['connections', 'create', '--file', fileOf(connections(count)), '-o', 'json', ...args], {
    env,
  });
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

describe('creating many', () => {
  it('gives a row for each, in the order of the file, over a few connections that stay open', async () => {
    let underWay = 0;
    let most = 0;
    const { env, peer, posted } = await creating(async (request) => {
      most = Math.max(most, ++underWay);
      // The first are answered when as many are here as run at once: eight.
      await peer.received(8);
      await turn();
      underWay -= 1;
      return createdAnswer(request);
    });
    const ended = await create(60, [], env);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(rowsOf(ended).map(({ name }) => name)).toEqual(connections(60).map(({ name }) => name));
    expect(resultsOf(ended)).toEqual({ created: 60 });
    expect(posted()).toHaveLength(60);
    expect(most).toBe(8);
    // A socket is free again a moment after its answer: some more than run at once are opened.
    expect(peer.connections).toBeLessThan(30);
  });

  const refusal = httpAnswer(429, { message: 'Too Many Requests' }, { 'Retry-After': '0' });

  it('goes on at full width after a refusal of too many requests', async () => {
    let [underWay, most] = [0, 0];
    const { env } = await creating(async (request) => {
      if (request.nth === 3) return refusal;
      underWay += 1;
      if (request.nth > 15) most = Math.max(most, underWay);
      await turn();
      underWay -= 1;
      return createdAnswer(request);
    });
    const ended = await create(40, ['--retries', '0'], env);
    expect([ended.code, resultsOf(ended)]).toEqual([0, { created: 40 }]);
    expect(most).toBeGreaterThan(1);
  });

  it('waits and goes on where the service takes only one at a time', async () => {
    let underWay = 0;
    const { env, posted } = await creating(async (request) => {
      underWay += 1;
      const tooMany = underWay > 1;
      await turn();
      underWay -= 1;
      return tooMany ? refusal : createdAnswer(request);
    });
    const ended = await create(40, ['--retries', '0'], env);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(resultsOf(ended)).toEqual({ created: 40 });
    expect(posted().length).toBeGreaterThan(40);
  });

  it('stops where every request is too many', async () => {
    const { env, posted } = await creating(() => httpAnswer(429, { message: 'Too Many Requests' }));
    const ended = await create(40, ['--retries', '0'], env);
    expect(ended.code).toBe(12);
    expect(rowsOf(ended)[0]).toMatchObject({ result: 'failed', code: 'rate_limited' });
    expect(rowsOf(ended)[39]).toMatchObject({ result: 'not tried' });
    expect(posted().length).toBeLessThanOrEqual(16);
  });

  it('repeats no entry that was refused alone', async () => {
    const { env, posted } = await creating(() => httpAnswer(429, { message: 'Too Many Requests' }));
    expect((await create(1, ['--retries', '0'], env)).code).toBe(12);
    expect(posted().length).toBe(1);
  });
});

describe('interrupted', () => {
  it('prints the rows so far, says what is unknown and how to go on', async () => {
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
});

describe('--dry-run', () => {
  const existing: Answer = (request) =>
    pageAnswer([{ id: `conn_${pageOf(request)}`, name: `app-${pageOf(request)}` }], {
      total: 2,
      page: pageOf(request),
      pages: 2,
    });

  it.each([
    ['all of them', [], ['app-0', 'app-1', 'app-2', 'app-3'], 0],
    ['what is missing', ['--skip-existing'], ['app-0', 'app-3'], 2],
  ])('prints %s', async (_what, args, names, reads) => {
    const { env, peer } = await scriptedService({ 'GET /connections': existing });
    const ended = await create(4, ['--dry-run', ...args], env);
    expect(ended).toMatchObject({
      code: 0,
      stderr: '{"note":"dry run: nothing was created"}\n',
    });
    expect(ended.stdout).not.toContain('hunter2');
    const masked = names.map((name) => connection(name, { password: '********' }));
    expect(rowsOf(ended)).toEqual(masked.map((body) => ({ method: 'POST', target: '/connections', body })));
    expect(peer.requests.map(({ method }) => method)).toEqual(Array.from({ length: reads }, () => 'GET'));
  });
});
