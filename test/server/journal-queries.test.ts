import { describe, expect, it } from 'vitest';
import { Journal } from '../../src/server/journal/journal.js';
import { Caller } from './support/caller.js';
import { useServers } from './support/start.js';

const servers = useServers();

async function started() {
  const server = await servers.start();
  const caller = new Caller(server);
  const ask = async (query: string) => {
    const headers = { authorization: `Bearer ${server.controlToken}` };
    return caller.send('GET', `/_control/journal${query}`, { auth: 'none', headers });
  };
  return { server, caller, ask };
}

describe('the journal', () => {
  it('is asked by key, method, path, status and refusal, and for a count', async () => {
    const { server, caller, ask } = await started();
    const { journal } = server.control;
    await caller.send('POST', '/teams', { body: { name: 'a' } });
    await caller.send('POST', '/teams?x=1', { body: { name: 'b' } });
    await caller.send('GET', '/teams/none');
    await caller.send('GET', '/quotas', { credential: { keyId: 'key_other', secret: 'x' } });
    expect(await journal.count({ method: 'POST' })).toBe(2);
    expect(await journal.count()).toBe(4);
    const questions: [string, number][] = [
      ['method=post', 2],
      ['path=/teams', 2],
      ['path=/teams/*', 1],
      ['path=/teams*', 3],
      ['status=404', 1],
      ['status=4xx', 2],
      ['status=2XX', 2],
      ['key=key_other', 1],
      ['key=key', 0],
      [`key=${server.keyId}&refused=true`, 1],
      ['refused=false&method=GET', 0],
    ];
    for (const [query, count] of questions) {
      expect({ query, answer: (await ask(`?${query}&count=true`)).json }).toEqual({
        query,
        answer: { count },
      });
      const { json } = await ask(`?${query}`);
      expect(json).toHaveProperty('entries.length', count);
    }
  });

  it('is asked since a time, or since a while ago by the clock of the server', async () => {
    const { server, caller, ask } = await started();
    const { clock } = server.control;
    await clock.set('2030-01-01T00:00:00Z');
    await caller.send('GET', '/quotas', { timestamp: '1893456000' });
    await clock.set('2030-01-01T01:00:00Z');
    await caller.send('GET', '/teams', { timestamp: '1893459600' });
    const times = [
      ['30m', 1],
      ['2h', 2],
      ['1d', 2],
      ['2030-01-01T01:00:00Z', 1],
      ['2030-01-01T02:00:00.000%2B01:00', 1],
      ['2029-12-31T23:59Z', 2],
      ['2030-01-01T01:01Z', 0],
    ] as const;
    for (const [since, count] of times) {
      expect({ since, answer: (await ask(`?since=${since}&count=true`)).json }).toEqual({
        since,
        answer: { count },
      });
    }
    expect(await server.control.journal.get({ since: '30m' })).toHaveLength(1);
    expect(await server.control.journal.get({ since: 'soon' })).toEqual([]);
  });

  it.each([
    'since=soon',
    'since=2030-01-01',
    'since=-5m',
    'since=2030-13-01T00:00Z',
    'method=',
    'method=a%20b',
    'path=teams',
    'path=/a?b',
    'status=9',
    'status=4x',
    'count=2',
    'limit=x',
  ])('refuses %s', async (query) => {
    const { ask } = await started();
    expect((await ask(`?${query}`)).status).toBe(400);
  });

  it('numbers requests without a gap, and tells a follower what it missed', async () => {
    const { server, caller } = await started();
    const { journal, status } = server.control;
    await caller.send('GET', '/quotas');
    await journal.clear();
    await caller.send('GET', '/quotas');
    const end = new AbortController();
    const batches = journal.follow({ after: 0, signal: end.signal })[Symbol.asyncIterator]();
    const first = await batches.next();
    expect(first.value).toMatchObject({ missed: 1, last: 2, entries: [{ id: 2 }] });
    const next = batches.next();
    await caller.send('GET', '/teams');
    expect((await next).value).toMatchObject({ missed: 0, entries: [{ id: 3, target: '/teams' }] });
    end.abort();
    expect(await batches.next()).toMatchObject({ done: true });
    expect((await status()).requests).toEqual({ total: 3, refused: 0, kept: 2 });
  });
});

describe('a reader that reads too slowly', () => {
  it('is told how many it missed: nothing waits for it but the last 1,000', async () => {
    const journal = new Journal();
    const add = () =>
      journal.add({
        time: 0,
        status: 200,
        milliseconds: 0,
        method: 'GET',
        target: '/quotas',
        rawHeaders: [],
      });
    add();
    const { signal } = new AbortController();
    const batches = journal.follow({ signal });
    await batches.next();
    for (let count = 0; count < 1500; count += 1) add();
    const { value } = await batches.next();
    expect(value).toMatchObject({ missed: 500, last: 521 });
    expect(value?.entries).toHaveLength(20);
    await batches.return(undefined);
  });
});
