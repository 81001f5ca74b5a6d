import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { connection, connections, fileOf } from '../commands/support/connection-entries.js';
import {
  type Answer,
  createdAnswer,
  pageAnswer,
  pageOf,
  quotaAnswer,
  scriptedService,
} from '../commands/support/scripted-service.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { type Ended, errorOf, runCli, startCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';

const service = useService({ quotas: { connections: 150 } });

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

async function used(env: Record<string, string | undefined>): Promise<unknown> {
  const { stdout } = await runCli(['quotas', '-o', 'json', '--query', 'connections.used'], { env });
  return JSON.parse(stdout);
}

describe('creating many', () => {
  it('gives a row for each, in the order of the file, over a few connections that stay open', async () => {
    let underWay = 0;
    let most = 0;
    const { env, peer, posted } = await creating(async (request) => {
      most = Math.max(most, ++underWay);
      // The first are answered when as many are here as run at once: the quota's request and eight more.
      await peer.received(9);
      await turn();
      underWay -= 1;
      return createdAnswer(request);
    });
    const ended = await create(200, [], env);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(rowsOf(ended).map(({ name }) => name)).toEqual(connections(200).map(({ name }) => name));
    expect(resultsOf(ended)).toEqual({ created: 200 });
    expect(posted()).toHaveLength(200);
    expect(most).toBe(8);
    // A socket is free again a moment after its answer: some more than run at once are opened.
    expect(peer.connections).toBeLessThan(40);
  });

  it('tells what failed, and what to do', async () => {
    const { env } = await creating((request) =>
      request.nth === 1
        ? httpAnswer(400, { statusCode: 400, message: 'no such host' })
        : createdAnswer(request),
    );
    const ended = await create(3, [], env);
    expect(ended.code).toBe(12);
    expect(resultsOf(ended)).toEqual({ created: 2, failed: 1 });
    expect(rowsOf(ended).find(({ result }) => result === 'failed')).toMatchObject({
      name: expect.stringContaining('app-'),
      code: 'rejected',
      error: 'no such host',
    });
    expect(errorOf(ended)).toMatchObject({
      code: 'partial',
      exitCode: 12,
      message: expect.stringContaining('2 created'),
      hint: expect.stringContaining('--skip-existing'),
    });
  });

  it('says of what got no answer in time that its outcome is unknown', async () => {
    const { env } = await creating((request) => (request.nth === 2 ? undefined : createdAnswer(request)));
    const ended = await create(4, ['--timeout', '1s'], env);
    expect(ended.code).toBe(12);
    expect(resultsOf(ended)).toEqual({ created: 3, 'outcome unknown': 1 });
    expect(rowsOf(ended).find(({ result }) => result === 'outcome unknown')).toMatchObject({
      code: 'outcome_unknown',
      error: expect.stringContaining('may or may not have been carried out'),
    });
  });

  it.each([])('stops at %s', async (_what, answer, code) => {
    const { env, posted } = await creating(() => answer);
    const ended = await create(100, [], env);
    expect(ended.code).toBe(12);
    expect(posted().length).toBeLessThanOrEqual(8);
    expect(rowsOf(ended)[0]).toMatchObject({ result: 'failed', code });
    expect(rowsOf(ended)[99]).toMatchObject({
      result: 'not tried',
      error: expect.stringContaining('after: '),
    });
  });

  it('goes on one at a time where the service takes no more', async () => {
    let underWay = 0;
    const { env, posted } = await creating(async (request) => {
      underWay += 1;
      const tooMany = underWay > 1;
      await turn();
      underWay -= 1;
      return tooMany ? httpAnswer(429, { message: 'Too Many Requests' }) : createdAnswer(request);
    });
    const ended = await create(40, ['--retries', '0'], env);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(resultsOf(ended)).toEqual({ created: 40 });
    expect(posted().length).toBeGreaterThan(40);
  });

  it('stops where even one at a time is too many', async () => {
    const { env, posted } = await creating(() => httpAnswer(429, { message: 'Too Many Requests' }));
    const ended = await create(40, ['--retries', '0'], env);
    expect(ended.code).toBe(12);
    expect(rowsOf(ended)[0]).toMatchObject({ result: 'failed', code: 'rate_limited' });
    expect(rowsOf(ended)[39]).toMatchObject({ result: 'not tried' });
    expect(posted().length).toBeLessThanOrEqual(16);
  });
});

describe('interrupted', () => {
  it('prints the rows so far, says what is unknown and how to go on', async () => {
    const { env, peer, posted } = await creating((request) =>
      request.nth < 20 ? createdAnswer(request) : undefined,
    );
    const file = fileOf(connections(100));
    const { ended: end, system } = startCli(['connections', 'create', '--file', file, '-o', 'json'], { env });
    await peer.received(1 + 20 + 8);
    system.raise('SIGINT');
    const ended = await end;
    expect(ended.code).toBe(130);
    expect(posted()).toHaveLength(28);
    expect(resultsOf(ended)).toEqual({ created: 20, 'outcome unknown': 8 });
    expect(errorOf(ended)).toMatchObject({
      code: 'interrupted',
      hint: expect.stringContaining('20 created, 8 outcome unknown, 72 not tried of 100'),
    });
    expect(errorOf(ended)['hint']).toContain('--skip-existing');
  });

  it('while it still reads, creates nothing', async () => {
    const { env, peer, posted } = await scriptedService({ 'GET /quotas': () => undefined });
    const { ended: end, system } = startCli(['connections', 'create', '--file', fileOf(connections(2))], {
      env,
    });
    await peer.received();
    system.raise('SIGINT');
    expect(await end).toMatchObject({ code: 130, stdout: '' });
    expect(posted()).toEqual([]);
  });
});

describe('the quota', () => {
  it('is read first, and a plan that does not fit is refused', async () => {
    const { env, posted } = await scriptedService({ 'GET /quotas': () => quotaAnswer(2, 8) });
    const ended = await create(3, [], env);
    expect(ended).toMatchObject({ code: 7, stdout: '' });
    expect(errorOf(ended)).toMatchObject({
      code: 'quota_exceeded',
      quota: { kind: 'connections', limit: 10, used: 8 },
      hint: expect.stringContaining('--up-to-quota'),
    });
    expect(posted()).toEqual([]);
  });

  it('lets as many through as fit, where that will do', async () => {
    const { env, posted } = await scriptedService({
      'GET /quotas': () => quotaAnswer(2),
      'POST /connections': createdAnswer,
    });
    const ended = await create(3, ['--up-to-quota'], env);
    expect(ended.code).toBe(12);
    expect(rowsOf(ended)).toMatchObject([
      { name: 'app-0', result: 'created' },
      { name: 'app-1', result: 'created' },
      { name: 'app-2', result: 'not tried', error: 'the quota has no room for it' },
    ]);
    expect(posted()).toEqual(connections(2));
  });

  it('that is over its limit has room for none', async () => {
    const { env, posted } = await scriptedService({ 'GET /quotas': () => quotaAnswer(-3, 8) });
    expect(resultsOf(await create(5, ['--up-to-quota'], env))).toEqual({ 'not tried': 5 });
    expect(posted()).toEqual([]);
  });

  it('of a service that tells none of this kind is left to the service', async () => {
    const { env } = await scriptedService({
      'GET /quotas': () => httpAnswer(200, { data: [{}], total: 1, page: 1, limit: 1, pages: 1 }),
      'POST /connections': createdAnswer,
    });
    expect(await create(2, [], env)).toMatchObject({ code: 0 });
  });

  it('that cannot be read ends it', async () => {
    const { env, posted } = await scriptedService({
      'GET /quotas': () => httpAnswer(401, { message: 'Invalid API key' }),
    });
    expect(await create(2, [], env)).toMatchObject({ code: 4, stdout: '' });
    expect(posted()).toEqual([]);
  });
});

describe('against the real service', () => {
  it('the same file again finishes the work, up to the quota', async () => {
    const env = service.environment();
    expect(resultsOf(await create(120, [], env))).toEqual({ created: 120 });
    expect(await used(env)).toBe(120);

    const more = await create(140, ['--skip-existing'], env);
    expect(more).toMatchObject({ code: 0, stderr: '' });
    expect(resultsOf(more)).toEqual({ exists: 120, created: 20 });
    expect(rowsOf(more)[0]).toMatchObject({ name: 'app-0', id: expect.stringMatching(/^conn_/) });
    expect(await used(env)).toBe(140);

    expect(await create(160, ['--skip-existing'], env)).toMatchObject({ code: 7 });
    expect(await used(env)).toBe(140);

    const full = await create(160, ['--skip-existing', '--up-to-quota'], env);
    expect(full.code).toBe(12);
    expect(resultsOf(full)).toEqual({ exists: 140, created: 10, 'not tried': 10 });

    const again = await create(150, ['--skip-existing'], env);
    expect(again).toMatchObject({ code: 0 });
    expect(resultsOf(again)).toEqual({ exists: 150 });
    expect(await used(env)).toBe(150);
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
    ['all of them', [], ['app-0', 'app-1', 'app-2', 'app-3'], 4, 1],
    ['what is missing', ['--skip-existing'], ['app-0', 'app-3'], 2, 3],
    ['what fits', ['--up-to-quota'], ['app-0'], 1, 1],
    ['what is missing and fits', ['--skip-existing', '--up-to-quota'], ['app-0'], 1, 3],
  ])('prints %s', async (_what, args, names, left, reads) => {
    const { env, peer } = await scriptedService({
      'GET /quotas': () => quotaAnswer(left),
      'GET /connections': existing,
    });
    const ended = await create(4, ['--dry-run', ...args], env);
    expect(ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`a dry run: nothing was created; the quota has room for ${left} of `),
    });
    expect(ended.stdout).not.toContain('hunter2');
    const masked = names.map((name) => connection(name, { password: '********' }));
    expect(rowsOf(ended)).toEqual(masked.map((body) => ({ method: 'POST', target: '/connections', body })));
    expect(peer.requests.map(({ method }) => method)).toEqual(Array.from({ length: reads }, () => 'GET'));
  });
});
