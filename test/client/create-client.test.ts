import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { Agent, interceptors, MockAgent } from 'undici';
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
  UsageError,
} from '../../src/client/index.js';
import { formatDuration } from '../../src/text/duration.js';
import { holdTimers } from '../support/hold-timers.js';
import { headerOf, hostilePeer, httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
import { useService } from '../support/service.js';
import { credential } from './support/credential.js';

const service = useService({ http: false });
beforeEach(() => service.server.control.reset());

function openClient(options: Partial<ClientOptions> = {}): Client {
  const { url, keyId, secret, caFile } = service.server;
  const client = createClient({ baseUrl: url, keyId, secret, caFile, env: {}, ...options });
  onTestFinished(() => client.close());
  return client;
}

const config = { host: 'db.example.com', port: 5432, database: 'app', user: 'app', password: 'x', ssl: true };

async function failureOf(call: Promise<unknown>): Promise<OrgctlError> {
  const error = await call.then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  );
  if (error instanceof OrgctlError) return error;
  throw error;
}

describe('the options of a client', () => {
  const good = { baseUrl: 'https://api.example.com', ...credential };

  it.each([
    ['an unknown one', { ...good, baseURL: 'x' }, '`baseURL` is not an option'],
    ['a missing one', { baseUrl: good.baseUrl, keyId: 'key_1' }, '`secret`'],
    ['one of a wrong type', { ...good, timeout: '30s' }, '`timeout`: must be a number, not a string'],
    ['no time at all', { ...good, timeout: 0 }, '`timeout`: must be more than 0'],
    ['a mode that there is not', { ...good, auth: 'digest' }, '`auth`'],
    ['none at all', undefined, 'createClient'],
    ['a secret, which is not shown', { ...good, secret: 12_345_678 }, /^(?!.*1234567)/],
    ['plain HTTP to another machine', { ...good, baseUrl: 'http://api.example.com' }, 'https://'],
  ])('are refused: %s', (_name, options, message) => {
    const open = () => Reflect.apply(createClient, undefined, [options]);
    expect(open).toThrow(UsageError);
    expect(open).toThrow(message);
  });

  it('exclude a CA file, which would not be read, beside a dispatcher', () => {
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.destroy());
    expect(() => openClient({ dispatcher })).toThrow('`caFile` and `dispatcher` cannot be combined');
  });
});

describe('a dispatcher of the program', () => {
  it('sends what the client signs, such as to mocks', async () => {
    const mocks = new MockAgent();
    mocks.disableNetConnect();
    const sent: unknown[] = [];
    mocks
      .get('https://api.example.com')
      .intercept({ path: '/v1/teams/team_1', headers: (headers) => sent.push(headers) > 0 })
      .reply(200, { id: 'team_1', name: 'ops' }, { headers: { 'content-type': 'application/json' } });
    const options = { baseUrl: 'https://api.example.com/v1', caFile: undefined, dispatcher: mocks };
    const { teams } = openClient(options);
    expect((await teams.get('team_1')).name).toBe('ops');
    expect(JSON.stringify(sent)).toMatch(/"x-api-signature":"[0-9a-f]{64}"/);
    await mocks.close();
  });

  it('follows no redirect, which would take the credential elsewhere', async () => {
    const elsewhere = await hostilePeer(() => httpAnswer(200, { id: 'team_1', name: 'ops' }));
    const peer = await hostilePeer(() =>
      httpAnswer(307, '', { location: `${elsewhere.origin}/teams/team_1` }),
    );
    const dispatcher = new Agent().compose(interceptors.redirect({ maxRedirections: 3 }));
    onTestFinished(() => dispatcher.destroy());
    const { teams } = openClient({ baseUrl: peer.origin, caFile: undefined, dispatcher });
    expect(await failureOf(teams.get('team_1'))).toMatchObject({ details: { status: 307 } });
    expect(elsewhere.requests).toEqual([]);
  });

  it('is not closed with the client, which ends its own calls', async () => {
    const ca = readFileSync(String(service.server.caFile));
    const dispatcher = new Agent({ connect: { ca } });
    onTestFinished(() => dispatcher.destroy());
    const [one, other] = [1, 2].map(() => openClient({ caFile: undefined, dispatcher }));
    await service.server.control.faults.set(['GET /teams=delay:1h', 'POST /teams=delay:1h']);
    const pending = failureOf(Promise.resolve(one?.teams.list()));
    const change = failureOf(Promise.resolve(one?.teams.create({ name: 'ops' })));
    await vi.waitFor(async () =>
      expect(await service.server.control.faults.get()).toMatchObject([{ hits: 1 }, { hits: 1 }]),
    );
    await one?.close();
    expect((await pending).message).toBe('this client is closed');
    expect(await change).toMatchObject({ code: 'outcome_unknown' });
    expect(await other?.quotas.read()).toHaveProperty('teams');
  });
});

describe('an answer to the creation of a key that is not understood', () => {
  const secret = `${'Zq7'.repeat(21)}x`;
  const whole = (body: string) => httpAnswer(201, body);

  it.each([
    ['no secret', whole(JSON.stringify({ id: 'key_1', hash: secret }))],
    ['two secrets', whole(JSON.stringify({ id: 'key_1', token: 'short', value: 'other', note: secret }))],
    ['a secret that is not text', whole(JSON.stringify({ id: 'key_1', secret: { value: secret } }))],
    ['no ID', whole(JSON.stringify({ secret }))],
    ['an empty ID', whole(JSON.stringify({ id: '', secret }))],
    ['an unknown envelope', whole(JSON.stringify({ envelope: { id: 'key_1', secret } }))],
    ['a list', whole(JSON.stringify([{ id: 'key_1', secret }]))],
    ['no JSON', whole(secret)],
    ['a page', whole(`<!DOCTYPE html><p>${secret}</p>`)],
    ['no end', httpAnswer(201, `{"id":"key_1","secret":"${secret}"`, { 'Content-Length': '500' })],
  ])('is behind the error, and not shown with it: %s', async (_name, answer) => {
    const peer = await hostilePeer((_request, socket) => socket.end(answer));
    const error = await failureOf(openClient({ baseUrl: peer.origin }).apiKeys.create({ name: 'ci' }));
    expect(error.answer?.status).toBe(201);
    expect(error.answer?.body.toString()).toContain(secret);
    const inspected = inspect(error, { depth: 9, showHidden: true });
    const logged = [inspected, JSON.stringify(error), String(error.stack)];
    // Neither as text nor as the bytes of a buffer.
    expect(logged.join()).not.toMatch(/Zq7|5a 71 37|90,113,55/);
  });
});

describe('a client', () => {
  it('creates, reads, changes and deletes, with the types of what it answers', async () => {
    const { connections, teams, apiKeys, quotas } = openClient();
    const made = await connections.create({ name: 'main', type: 'postgresql', config });
    expectTypeOf(made.created_at).toEqualTypeOf<string>();
    expectTypeOf(made.config.port).toEqualTypeOf<number>();
    expectTypeOf(made.config).not.toHaveProperty('password');
    expect(await connections.get(made.id)).toEqual(made);
    expect(await connections.update(made.id, { config: { port: 5433 } })).toMatchObject({
      config: { host: 'db.example.com', port: 5433 },
    });
    await connections.create({ name: 'other', type: 'mongodb', config: { host: 'm' } });
    const { data } = await connections.list();
    const ports = data.filter(isPostgresConnection).map(({ config: { port } }) => port satisfies number);
    expect(ports).toEqual([5433]);
    const key = await apiKeys.create({ name: 'ci' });
    expectTypeOf(key.secret).toEqualTypeOf<string>();
    expect(key.secret).toHaveLength(64);
    expect(await apiKeys.update(key.id, { enabled: false })).toMatchObject({ enabled: false });
    const { id } = await teams.create({ name: 'ops' });
    await teams.delete(id);
    expect((await failureOf(teams.get(id))).code).toBe('not_found');
    expect(await quotas.read()).toMatchObject({ teams: { used: 0 }, 'api-keys': { used: 2 } });
  });

  it('goes through all pages, and through all items', async () => {
    const { teams } = openClient();
    const names = Array.from({ length: 5 }, (_, at) => `team ${at}`);
    for (const name of names) await teams.create({ name });
    const last = { data: [{}], total: 5, page: 3, pages: 3 };
    expect(await teams.list({ limit: 2, page: 3 })).toMatchObject(last);
    const sizes: number[] = [];
    for await (const { data } of teams.pages({ limit: 2 })) sizes.push(data.length);
    expect(sizes).toEqual([2, 2, 1]);
    const seen: string[] = [];
    for await (const { name } of teams.all({ limit: 2 })) seen.push(name);
    expect(seen.sort()).toEqual(names);
  });

  it('ends reading all pages at the deadline of that call, or at its own', async () => {
    const peer = await hostilePeer(() => undefined);
    const passTime = holdTimers();
    const { teams } = openClient({ baseUrl: peer.origin, deadline: 20_000 });
    const ended = [teams.pages({ deadline: 10_000 }), teams.pages()].map((pages) =>
      failureOf(pages[Symbol.asyncIterator]().next()),
    );
    await peer.received(2);
    passTime(20_000);
    const hint = (milliseconds: number) => ({
      details: { hint: `raise the deadline, for example to ${formatDuration(milliseconds)}` },
    });
    expect(await Promise.all(ended)).toMatchObject([hint(20_000), hint(40_000)]);
  });

  it('says who it is, unless its options do', async () => {
    const peer = await scriptedPeer([httpAnswer(200, [])]);
    await openClient({ baseUrl: peer.origin }).teams.list();
    await openClient({ baseUrl: peer.origin, userAgent: 'mine/2' }).teams.list();
    const agents = peer.requests.map((request) => headerOf(request, 'user-agent'));
    expect(agents).toEqual([expect.stringMatching(/^orgctl\/\d+\.\d+\.\d+/), 'mine/2']);
  });

  it('fails with errors of one family, whose code says why, and with the response behind them', async () => {
    const conflict = { message: 'name is taken', fields: { name: 'taken' } };
    const peer = await scriptedPeer([httpAnswer(409, conflict, { 'X-Request-ID': 'req_1' })]);
    const refused = await failureOf(openClient({ baseUrl: peer.origin }).teams.create({ name: 'x' }));
    expect(refused).toBeInstanceOf(ServiceError);
    expect(refused.answer).toMatchObject({ status: 409, headers: { 'x-request-id': 'req_1' } });
    expect(JSON.parse(String(refused.answer?.body))).toEqual(conflict);
    const { quotas } = openClient({ baseUrl: 'http://127.0.0.1:1', retries: 0 });
    const unreached = await failureOf(quotas.read());
    expect(unreached).toBeInstanceOf(NetworkError);
    const cause = { message: 'no complete response', cause: { code: 'ECONNREFUSED' } };
    expect(unreached.cause).toMatchObject(cause);
  });

  it('changes nothing where it is to read only', async () => {
    const hint = 'use another profile or client for changes';
    const refused = await failureOf(openClient({ readOnly: true }).teams.create({ name: 'x' }));
    expect(refused).toMatchObject({ code: 'config', details: { hint } });
  });

  it('signs by the clock that it is given', async () => {
    await service.server.control.clock.set(Date.UTC(2031, 0, 1));
    const notes: string[] = [];
    const onNote = (note: string) => void notes.push(note);
    await openClient({ clock: () => Date.UTC(2031, 0, 1), onNote }).quotas.read();
    expect(notes).toEqual([]);
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
    expect((await client.request({ method: 'GET', target: '/x' })).status).toBe(200);
  });

  it('ends the wait before another attempt, and the following of pages', async () => {
    const peer = await scriptedPeer([httpAnswer(503, {}, { 'retry-after': '60' })]);
    const abort = new AbortController();
    const { signal } = abort;
    const client = openClient({ baseUrl: peer.origin, onNote: () => abort.abort(new Error('enough')) });
    await expect(client.quotas.read({ signal })).rejects.toThrow('enough');
    const following = new AbortController();
    const { teams } = openClient();
    for (const name of ['a', 'b']) await teams.create({ name });
    const pages = (async () => {
      for await (const _page of teams.pages({ limit: 1, signal: following.signal }))
        following.abort(new Error('no more'));
    })();
    await expect(pages).rejects.toThrow('no more');
  });

  it('leaves no listener behind', async () => {
    const { signal } = new AbortController();
    const reading = openClient().quotas.read({ signal });
    expect(getEventListeners(signal, 'abort')).not.toEqual([]);
    await reading;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

it.each(['close', Symbol.asyncDispose] as const)(
  'is closed by %s, and so by the end of a block',
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
