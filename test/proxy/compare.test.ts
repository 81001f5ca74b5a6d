import { describe, expect, it } from 'vitest';
import { Comparison } from '../../src/proxy/compare/comparison.js';
import type { ProxyOptions } from '../../src/proxy/proxy-server.js';
import type { RunningServer } from '../../src/server/index.js';
import { Caller } from '../server/support/caller.js';
import { useServers } from '../server/support/start.js';
import { httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
import { linesOf, proxyTo, sendRaw } from './support/start-proxy.js';

const servers = useServers();

/** A proxy that compares, and the differences that it told. */
async function comparingProxy(
  origin: string,
  dialect?: unknown,
  prefix = '',
  options: Partial<ProxyOptions> = {},
) {
  const told: string[] = [];
  const comparison = new Comparison(dialect, prefix, (difference) => told.push(difference));
  const proxy = await proxyTo(origin, {
    ...options,
    observers: [(exchange) => comparison.observe(exchange)],
  });
  return { proxy, told, comparison };
}

/** Every kind of call, refusals included. */
async function callAll(
  { url }: { url: string },
  { keyId, secret }: RunningServer,
  prefix = '',
): Promise<void> {
  const caller = new Caller({ url, keyId, secret }, { atFault: true });
  const send = (method: string, path: string, body?: unknown) =>
    caller.send(method, `${prefix}${path}`, { body });
  const created = await send('POST', '/teams', { name: 'a' });
  const id = /"id":"?([^",}]+)/.exec(created.text)?.[1];
  for (const path of ['/quotas', '/teams', '/api-keys', '/connections', `/teams/${id}`, '/teams/none'])
    await send('GET', path);
  await send('POST', '/teams', { name: '' });
  await send('POST', '/api-keys', { name: 'b' });
  await send('PATCH', `/teams/${id}`, { name: 'c' });
  await send('DELETE', `/teams/${id}`);
  await caller.send('GET', `${prefix}/teams`, { auth: 'none' });
}

describe('the service as it is described has no difference', () => {
  it.each(['reference', 'bare', 'cursor', 'camel'] as const)('in the dialect %s', async (dialect) => {
    const server = await servers.start({ dialect });
    const prefix = dialect === 'camel' ? '/api/v1' : '';
    const origin = new URL(server.url).origin;
    const { proxy, told, comparison } = await comparingProxy(origin, dialect, prefix);
    await callAll(proxy, server, prefix);
    expect(told).toEqual([]);
    expect(comparison.count).toMatchObject({ compared: 12, alike: 12 });
  });

  it('and another dialect has some', async () => {
    const server = await servers.start({ dialect: 'bare' });
    const { proxy, told } = await comparingProxy(server.url);
    await callAll(proxy, server);
    expect(told).toContain('GET /teams 200: the body: must be an object, not an array');
    expect(new Set(told).size).toBe(told.length);
  });
});

const team = {
  id: 'team_1',
  name: 'a',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};
const quota = { 'X-Quota-Limit': '1', 'X-Quota-Used': '1', 'X-Quota-Remaining': '0' };

describe('a difference is told once', () => {
  it.each([
    ['another status', httpAnswer(418, '{}', quota), ['the status is not described']],
    [
      'no quota headers',
      httpAnswer(200, team),
      ['header X-Quota-Limit: missing', 'header X-Quota-Used: missing', 'header X-Quota-Remaining: missing'],
    ],
    ['a new field', httpAnswer(200, { ...team, owner: { a: 1 } }, quota), ['owner: new']],
    ['a missing field', httpAnswer(200, { ...team, name: undefined }, quota), ['name: missing']],
    ['another type', httpAnswer(200, { ...team, id: 7 }, quota), ['id: must be a string, not a number']],
    ['no JSON', httpAnswer(200, '<html>', quota), ['the body: not JSON']],
    [
      'another form of errors',
      httpAnswer(404, { error: 'x' }, quota),
      ['the error: statusCode: missing', 'the error: message: missing', 'the error: error: new'],
    ],
    ['no body', httpAnswer(200, '', quota), ['the body: missing']],
  ])('%s', async (_name, answer, differences) => {
    const peer = await scriptedPeer([answer]);
    const { proxy, told, comparison } = await comparingProxy(peer.origin);
    for (let turn = 0; turn < 2; turn += 1) await (await fetch(`${proxy.url}/teams/team_1`)).text();
    await expect.poll(() => comparison.count.compared).toBe(2);
    expect(told.map((line) => line.replace(/^GET \/teams\/\{id\} \d+: /, ''))).toEqual(differences);
    expect(comparison.count).toEqual({ compared: 2, alike: 0, differences: differences.length });
  });
});

it('a list of ever so many misfits does not end the proxy', async () => {
  const data = Array.from({ length: 300_000 }, () => 1);
  const peer = await scriptedPeer([httpAnswer(200, { data, total: 1, page: 1, limit: 1, pages: 1 }, quota)]);
  const { proxy, told, comparison } = await comparingProxy(peer.origin);
  await (await fetch(`${proxy.url}/teams`)).text();
  await expect.poll(() => comparison.count.compared).toBe(1);
  expect(told).toHaveLength(1);
});

it('compares what the service answers, and nothing that the proxy does', async () => {
  const peer = await scriptedPeer([httpAnswer(200, team, quota)]);
  const { proxy, told, comparison } = await comparingProxy(peer.origin, undefined, '', {
    faults: ['GET /teams/team_1=418x1'],
    isReadOnly: true,
  });
  for (const method of ['GET', 'DELETE', 'HEAD', 'GET'])
    await sendRaw(proxy, linesOf(`${method} /teams/team_1 HTTP/1.1`, 'Host', 'Connection: close'));
  expect([peer.requests.length, told, comparison.count.compared]).toEqual([2, [], 1]);
});
