import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { RunningServer } from '../../src/server/index.js';
import { Journal } from '../../src/server/journal/journal.js';
import { Caller } from './support/caller.js';
import { controller } from './support/controller.js';
import { useServer, useServers } from './support/start.js';

const hour = 3_600_000;
const now = Date.UTC(2030, 0, 1, 1);

function exchange(target: string, changes: object = {}) {
  return { time: now, method: 'GET', target, status: 200, milliseconds: 1, rawHeaders: [], ...changes };
}

describe('the journal is asked', () => {
  const journal = new Journal(() => now);
  const refusal = () => ({ check: 'key', reason: 'r' }) as const;
  journal.add(exchange('/quotas', { time: now - hour, keyId: 'key_a' }));
  journal.add(exchange('/teams', { method: 'POST', status: 201, keyId: 'key_a' }));
  journal.add(exchange('/teams?x=1', { method: 'POST', status: 201, keyId: 'key_a' }));
  journal.add(exchange('/teams/none', { status: 404, keyId: 'key_a' }), refusal);
  journal.add(exchange('/quotas', { status: 401, keyId: 'key_other' }), refusal);
  journal.add(exchange('/gone', { status: undefined, keyId: 'key_a' }));

  it.each<[object, number[]]>([
    [{}, [1, 2, 3, 4, 5, 6]],
    [{ limit: 2 }, [5, 6]],
    [{ method: 'POST' }, [2, 3]],
    [{ path: '/teams' }, [2, 3]],
    [{ path: '/teams/*' }, [4]],
    [{ path: '/teams*' }, [2, 3, 4]],
    [{ status: 404 }, [4]],
    [{ status: '4xx' }, [4, 5]],
    [{ key: 'key_other' }, [5]],
    [{ key: 'key' }, []],
    [{ refused: true }, [4, 5]],
    [{ refused: true, limit: 1 }, [5]],
    [{ refused: false, method: 'GET' }, [1, 6]],
    [{ key: 'key_a', refused: true }, [4]],
    [{ since: '30m' }, [2, 3, 4, 5, 6]],
    [{ since: '1h' }, [1, 2, 3, 4, 5, 6]],
    [{ since: '2030-01-01T01:00:00Z' }, [2, 3, 4, 5, 6]],
    [{ since: '2030-01-01T02:00:00.000+01:00' }, [2, 3, 4, 5, 6]],
    [{ since: '2030-01-01T01:01Z' }, []],
    [{ since: '2030-01-01' }, [1, 2, 3, 4, 5, 6]],
    [{ since: '2030-01-02' }, []],
    [{ since: 'soon' }, []],
  ])('%j', (query, ids) => {
    expect(journal.entries(query).map(({ id }) => id)).toEqual(ids);
  });

  const shared = useServer();

  it('over HTTP for entries, and for a count', async () => {
    const { server, caller } = shared;
    const control = controller(server);
    await caller.send('GET', '/quotas');
    await caller.send('POST', '/teams', { body: { name: 'a' } });
    await caller.send('GET', '/none');
    const since = encodeURIComponent('2020-01-01T02:00:00.000+01:00');
    for (const [query, count] of [
      ['method=get&status=4XX&refused=true', 1],
      [`key=${server.keyId}&path=/teams&since=${since}`, 1],
    ]) {
      expect((await control('GET', `/journal?${query}&count=true`)).json).toEqual({ count });
      expect((await control('GET', `/journal?${query}`)).json).toHaveProperty('entries.length', count);
    }
    expect(await server.control.journal.count({ method: 'GET' })).toBe(2);
  });

  it.each([
    ...[
      'since=soon',
      'since=2030-01-01T00:00',
      'since=-5m',
      'since=2030-13-01T00:00Z',
      'since=2030-02-30',
      'method=',
      'method=a%20b',
    ],
    ...['path=teams', 'path=/a?b', 'status=9', 'status=4x', 'count=2', 'limit=x'],
  ])('and refuses %s', async (query) => {
    expect((await controller(shared.server)('GET', `/journal?${query}`)).status).toBe(400);
  });

  it('numbers requests without a gap, and tells a follower what it missed', async () => {
    const { server } = shared;
    const caller = new Caller(server);
    const { journal, status } = server.control;
    const { total: before } = (await status()).requests;
    await caller.send('GET', '/quotas');
    await journal.clear();
    await caller.send('GET', '/quotas');
    const end = new AbortController();
    const batches = journal.follow({ after: before, signal: end.signal })[Symbol.asyncIterator]();
    const last = before + 2;
    expect((await batches.next()).value).toMatchObject({ missed: 1, last, entries: [{ id: last }] });
    const next = batches.next();
    await caller.send('GET', '/teams');
    expect((await next).value).toMatchObject({ missed: 0, entries: [{ id: last + 1, target: '/teams' }] });
    end.abort();
    expect(await batches.next()).toMatchObject({ done: true });
    expect((await status()).requests).toMatchObject({ total: before + 3, kept: 2 });
  });
});

describe('a journal keeps', () => {
  it('the last 1,000 requests', () => {
    const journal = new Journal();
    const targets = () => journal.entries().map(({ target }) => target);
    for (let sent = 0; sent < 2500; sent += 1) journal.add(exchange(`/${sent}`));
    expect(targets()).toEqual(Array.from({ length: 1000 }, (_, index) => `/${index + 1500}`));
    journal.clear();
    const again = Array.from({ length: 1000 }, (_, index) => `/again/${index}`);
    for (const target of again) journal.add(exchange(target));
    expect(targets()).toEqual(again);
  });

  it('each request whole, whatever was in its place before', () => {
    const journal = new Journal();
    const lengths = [10, 1200, 3, 16_000, 1020, 1024, 1025, 0];
    for (let sent = 0; sent < 1000 * lengths.length; sent += 1) {
      const text = 't.'.repeat(lengths[Math.floor(sent / 1000)] ?? 0);
      const rawHeaders = sent % 2 === 0 ? ['Accept', text, 'Server', '\xff'] : [];
      journal.add(exchange(`/${text}`, { rawHeaders }));
      if (sent % 1000 !== 999) continue;
      const [even, odd] = journal.entries({ limit: 2 });
      expect(even).toMatchObject({ target: `/${text}`, headers: { accept: text, server: 'ÿ' } });
      expect(odd).toMatchObject({ target: `/${text}`, headers: {} });
    }
  });

  it('nothing for a reader that reads too slowly: it is told how many it missed', async () => {
    const journal = new Journal();
    journal.add(exchange('/quotas'));
    const batches = journal.follow({ signal: new AbortController().signal });
    await batches.next();
    for (let count = 0; count < 1500; count += 1) journal.add(exchange('/quotas'));
    const { value } = await batches.next();
    expect(value).toMatchObject({ missed: 500, last: 521 });
    expect(value?.entries).toHaveLength(20);
    await batches.return(undefined);
  });
});

const servers = useServers();

/** The stream of a server's journal, and a way to read it up to a text. */
async function opened(server: RunningServer, query = '', lastEventId?: string) {
  const request = get(`${server.url}/_control/journal/stream${query}`, {
    headers: {
      authorization: `Bearer ${server.controlToken}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
  });
  const [answer]: IncomingMessage[] = await once(request, 'response');
  if (answer === undefined) throw new Error('no answer');
  let text = '';
  answer.setEncoding('utf8');
  const until = async (wanted: RegExp): Promise<string> => {
    for (;;) {
      if (wanted.test(text)) return text;
      const piece: unknown = answer.read();
      if (typeof piece === 'string') text += piece;
      else await Promise.race([once(answer, 'readable'), once(answer, 'end')]);
    }
  };
  return { answer, until, leave: () => request.destroy() };
}

describe('the stream of the journal', () => {
  it('has what was asked for, as it is answered, and goes on where a reader was', async () => {
    const server = await servers.start();
    const caller = new Caller(server);
    await caller.send('GET', '/quotas');
    const stream = await opened(server, '?method=POST');
    expect(stream.answer.headers['content-type']).toBe('text/event-stream');
    await caller.send('GET', '/quotas');
    await caller.send('POST', '/teams', { body: { name: 'a', password: 'hidden' } });
    const text = await stream.until(/event: request/);
    expect(text).not.toContain('"GET"');
    expect(text).not.toContain('hidden');
    const [, id = ''] = /id: (\w+-3)\nevent: request/.exec(text) ?? [];
    stream.leave();
    await caller.send('DELETE', '/nothing');
    const again = await opened(server, '', id);
    const rest = await again.until(/event: request/);
    expect(rest).toMatch(/^retry: 500\nid: \w+-3\n\n/);
    expect(rest).toContain('"DELETE"');
    expect(rest).not.toContain('"POST"');
    again.leave();
  });

  it.each(['abcdef-700', 'abcdef-1'])('begins anew for a reader of another start: %s', async (lastId) => {
    const server = await servers.start();
    const caller = new Caller(server);
    await caller.send('GET', '/quotas');
    await server.control.journal.clear();
    await caller.send('GET', '/teams');
    const stream = await opened(server, '', lastId);
    const text = await stream.until(/event: request/);
    expect(text).toMatch(/event: missed\ndata: \{"count":1\}/);
    expect(text).toContain('"/teams"');
    stream.leave();
  });

  it('ends with the server, after all that was answered', async () => {
    const server = await servers.start();
    const caller = new Caller(server);
    const stream = await opened(server, '?limit=0');
    // Or the server would wait for another request on it.
    expect(stream.answer.headers).toMatchObject({ connection: 'close' });
    await caller.send('GET', '/quotas');
    await server.close();
    expect(await stream.until(/event: end/)).toContain('"/quotas"');
  });
});
