import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { beforeEach, describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';
import {
  type Client,
  type ClientOptions,
  createClient,
  isPostgresConnection,
  NetworkError,
  OrgctlError,
  type Retry,
  ServiceError,
} from '../../src/client/index.js';
import { headerOf, hostilePeer, httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
import { useService } from '../support/service.js';

const service = useService();
beforeEach(() => service.server.control.reset());

function openClient(options: Partial<ClientOptions> = {}): Client {
  const { url, keyId, secret, caFile } = service.server;
  const client = createClient({ baseUrl: url, keyId, secret, caFile, env: {}, ...options });
  onTestFinished(() => client.close());
  return client;
}

const config = {
  host: 'db.example.com',
  port: 5432,
  database: 'app',
  user: 'app',
  password: 'correct horse',
  ssl: true,
};

async function failureOf(call: Promise<unknown>): Promise<OrgctlError> {
  const error = await call.then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  );
  if (error instanceof OrgctlError) return error;
  throw error;
}

describe('an answer to the creation of a key that is not understood', () => {
  const secret = `${'Zq7'.repeat(21)}x`;
  const whole = (body: string) => httpAnswer(201, body);
  const cutOff = (body: string) => httpAnswer(201, body, { 'Content-Length': '500' });

  it.each([
    ['no secret', whole(JSON.stringify({ id: 'key_1', hash: secret }))],
    ['no ID', whole(JSON.stringify({ secret }))],
    ['an envelope', whole(JSON.stringify({ envelope: { id: 'key_1', secret } }))],
    ['no JSON', whole(secret)],
    ['no end', cutOff(`{"id":"key_1","secret":"${secret}"`)],
  ])('is behind the error, and not shown with it: %s', async (_name, answer) => {
    const peer = await hostilePeer((_request, socket) => socket.end(answer));
    const error = await failureOf(openClient({ baseUrl: peer.origin }).apiKeys.create({ name: 'ci' }));
    expect(error.answer?.status).toBe(201);
    expect(error.answer?.body.toString()).toContain(secret);
    const logged = [
      inspect(error, { depth: 9, showHidden: true }),
      JSON.stringify(error),
      String(error.stack),
    ];
    // Neither as text nor as the bytes of a buffer.
    expect(logged.join()).not.toMatch(/Zq7|5a 71 37|90,113,55/);
  });
});

describe('a client', () => {
  it('creates, reads, changes and deletes, with the types of what it answers', async () => {
    const { connections, teams, apiKeys, quotas } = openClient();
    const made = await connections.create({ name: 'main', type: 'postgresql', config });
    expectTypeOf(made.created_at).toEqualTypeOf<string>();
    expect(await connections.get(made.id)).toEqual(made);
    expect(await connections.update(made.id, { config: { port: 5433 } })).toMatchObject({
      config: { host: 'db.example.com', port: 5433 },
    });
    const key = await apiKeys.create({ name: 'ci' });
    expectTypeOf(key.secret).toEqualTypeOf<string>();
    expect(key.secret).toHaveLength(64);
    expect(await apiKeys.update(key.id, { enabled: false })).toMatchObject({ enabled: false });
    const { id } = await teams.create({ name: 'ops' });
    await teams.delete(id);
    expect((await failureOf(teams.get(id))).code).toBe('not_found');
    expect(await quotas.read()).toMatchObject({ teams: { used: 0 }, 'api-keys': { used: 2 } });
  });

  it('does not compile with what is misspelt', () => {
    const { connections, teams, apiKeys, quotas } = openClient({ retries: 0 });
    const wrong = [
      // @ts-expect-error hsot
      () => connections.create({ name: 'x', type: 'postgresql', config: { ...config, hsot: 'x' } }),
      // @ts-expect-error no config
      () => connections.create({ name: 'x', type: 'pg', config: {} }),
      // @ts-expect-error no team
      () => teams.create(42),
      // @ts-expect-error no name
      () => teams.create({ nmae: 'x' }),
      // @ts-expect-error enabled in the console alone
      () => apiKeys.update('key_1', { enabled: true }),
      // @ts-expect-error nmae
      () => apiKeys.update('key_1', { nmae: 'x' }),
      // @ts-expect-error hsot
      () => connections.update('conn_1', { config: { hsot: 'x' } }),
      // @ts-expect-error hsot, with its type
      () => connections.update('conn_1', { type: 'pg', config: { hsot: 'x' } }),
      // @ts-expect-error nmae of what is returned
      async () => (await teams.get('team_1')).nmae,
      // @ts-expect-error enabeld of what is returned
      async () => (await apiKeys.get('key_1')).enabeld,
      // @ts-expect-error remainig
      async () => (await quotas.read())['teams']?.remainig,
    ];
    expect(wrong).toHaveLength(11);
    const right = [
      () => connections.update('conn_1', { type: 'mongodb', config: { uri: 'x' } }),
      () => connections.update('conn_1', { name: 'x', config: { port: 1 } }),
    ];
    expect(right).toHaveLength(2);
  });

  it('types the settings of a PostgreSQL connection, which it returns without the password', async () => {
    const { connections } = openClient();
    const made = await connections.create({ name: 'main', type: 'pg', config });
    expectTypeOf(made.config.port).toEqualTypeOf<number>();
    expectTypeOf(made.config).not.toHaveProperty('password');
    await connections.create({ name: 'other', type: 'mongodb', config: { host: 'm' } });
    const { data } = await connections.list();
    expect(data.filter(isPostgresConnection).map(({ config: { port } }) => port satisfies number)).toEqual([
      5432,
    ]);
  });

  it('goes through all pages, and through all items', async () => {
    const { teams } = openClient();
    const names = Array.from({ length: 5 }, (_, at) => `team ${at}`);
    for (const name of names) await teams.create({ name });
    expect(await teams.list({ limit: 2, page: 3 })).toMatchObject({
      data: [{}],
      total: 5,
      page: 3,
      pages: 3,
    });
    const sizes: number[] = [];
    for await (const { data } of teams.pages({ limit: 2 })) sizes.push(data.length);
    expect(sizes).toEqual([2, 2, 1]);
    const seen: string[] = [];
    for await (const { name } of teams.all({ limit: 2 })) seen.push(name);
    expect(seen.sort()).toEqual(names);
  });

  it('reads all pages within the deadline of a call, and then says what did not arrive', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const peer = await hostilePeer((_request, _socket, nth) => {
      vi.advanceTimersByTime(30_000);
      return httpAnswer(200, { data: [{ id: `team_${nth}` }], total: 9, page: nth + 1, limit: 1, pages: 9 });
    });
    const { teams } = openClient({ baseUrl: peer.origin, deadline: 60_000 });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { id } of teams.all({ limit: 1 })) seen.push(id);
    })();
    await expect(reading).rejects.toThrow('not all teams arrived before the deadline of 1m');
    expect(seen).toEqual(['team_0', 'team_1']);
  });

  it('says who it is, unless its options do', async () => {
    const peer = await scriptedPeer([httpAnswer(200, [])]);
    await openClient({ baseUrl: peer.origin }).teams.list();
    await openClient({ baseUrl: peer.origin, userAgent: 'mine/2' }).teams.list();
    expect(peer.requests.map((request) => headerOf(request, 'user-agent'))).toEqual([
      expect.stringMatching(/^orgctl\/\d+\.\d+\.\d+/),
      'mine/2',
    ]);
  });

  it('fails with errors of one family, whose code says why', async () => {
    await service.server.control.quotas.set({ teams: 0 });
    const refused = await failureOf(openClient().teams.create({ name: 'x' }));
    expect(refused).toBeInstanceOf(ServiceError);
    expect(refused).toMatchObject({
      code: 'quota_exceeded',
      details: { status: 403, quota: { kind: 'teams', limit: 0, used: 0 } },
    });
    const unreached = await failureOf(
      openClient({ baseUrl: 'http://127.0.0.1:1', retries: 0 }).quotas.read(),
    );
    expect(unreached).toBeInstanceOf(NetworkError);
    expect(unreached.cause).toMatchObject({
      message: 'no complete response',
      cause: { code: 'ECONNREFUSED' },
    });
  });

  it('fails with the response behind the error: its headers, and the fields of its body', async () => {
    const conflict = { message: 'name is taken', fields: { name: 'taken' } };
    const peer = await scriptedPeer([httpAnswer(409, conflict, { 'X-Request-ID': 'req_1' })]);
    const { answer } = await failureOf(openClient({ baseUrl: peer.origin }).teams.create({ name: 'x' }));
    expect(answer).toMatchObject({ status: 409, headers: { 'x-request-id': 'req_1' } });
    expect(JSON.parse(String(answer?.body))).toEqual(conflict);
  });

  it('changes nothing where it is to read only', async () => {
    const refused = await failureOf(openClient({ readOnly: true }).teams.create({ name: 'x' }));
    expect(refused).toMatchObject({
      code: 'config',
      details: { hint: 'for changes, use a client that is not `readOnly`' },
    });
  });

  it('signs by the clock that it is given', async () => {
    await service.server.control.clock.set(Date.UTC(2031, 0, 1));
    const notes: string[] = [];
    const onNote = (note: string) => void notes.push(note);
    await openClient({ clock: () => Date.UTC(2031, 0, 1), onNote }).quotas.read();
    expect(notes).toEqual([]);
  });

  it('follows a clock that is faked after it was opened, as the server does', async () => {
    const client = openClient({ retries: 0 });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2031, 0, 1) });
    onTestFinished(() => void vi.useRealTimers());
    await client.quotas.read();
    const [entry] = await service.server.control.journal.get();
    expect(entry).toMatchObject({ status: 200, headers: { 'x-api-timestamp': '1924992000' } });
  });
});

describe('an abort', () => {
  it('ends its own call, whose reason is thrown, and no other', async () => {
    const peer = await scriptedPeer(['', httpAnswer(200, { data: [] })]);
    const client = openClient({ baseUrl: peer.origin });
    const abort = new AbortController();
    const hanging = client.teams.list({ signal: abort.signal });
    const ended = hanging.catch((error: unknown) => error);
    await peer.received();
    abort.abort(new Error('no patience'));
    expect(await ended).toEqual(new Error('no patience'));
    await expect(client.teams.list({ signal: abort.signal })).rejects.toThrow('no patience');
    expect(await openClient().teams.list()).toMatchObject({ data: [] });
    expect((await client.request({ method: 'GET', target: '/x' })).status).toBe(200);
  });

  it('ends the wait before another attempt', async () => {
    const peer = await scriptedPeer([httpAnswer(503, {}, { 'retry-after': '60' })]);
    const abort = new AbortController();
    const client = openClient({ baseUrl: peer.origin, onNote: () => abort.abort(new Error('enough')) });
    await expect(client.quotas.read({ signal: abort.signal })).rejects.toThrow('enough');
  });

  it('ends the following of pages', async () => {
    const { teams } = openClient();
    await teams.create({ name: 'a' });
    await teams.create({ name: 'b' });
    const abort = new AbortController();
    const following = (async () => {
      for await (const _page of teams.pages({ limit: 1, signal: abort.signal })) {
        abort.abort(new Error('enough'));
      }
    })();
    await expect(following).rejects.toThrow('enough');
  });

  it('leaves no listener behind', async () => {
    const abort = new AbortController();
    const { signal } = abort;
    const reading = openClient().quotas.read({ signal });
    expect(getEventListeners(signal, 'abort')).not.toEqual([]);
    await reading;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

it.each(['close', Symbol.asyncDispose] as const)(
  'is closed by %s, and so by the end of a block that uses it',
  async (close) => {
    const client = openClient();
    await client.quotas.read();
    await client[close]();
    const error = await failureOf(client.quotas.read());
    expect([error.name, error.message]).toEqual(['UsageError', 'this client is closed']);
  },
);

it('tells of each retry as data, before it waits', async () => {
  await service.server.control.faults.set(['GET /quotas=503x1']);
  const retries: Retry[] = [];
  await openClient({ onRetry: (retry) => void retries.push(retry) }).quotas.read();
  const delay = expect.any(Number);
  expect(retries).toEqual([{ retry: 1, retries: 3, delay, error: expect.any(ServiceError) }]);
  expect(retries[0]?.error.details).toMatchObject({ status: 503, method: 'GET' });
});
