import { describe, expect, it } from 'vitest';
import { headerOf, hostilePeer, httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
import { credential } from './support/credential.js';
import { failureOf, openClient } from './support/open-client.js';

const record = { connections: { limit: 10, used: 2, remaining: 8, resets: 'never' } };
const envelope = { data: [record], total: 1, page: 1, limit: 20, pages: 1 };

async function apiOf(answer: string | Buffer, prefix = '') {
  const peer = await scriptedPeer([answer]);
  return { peer, ...openClient(peer, { prefix }) };
}

describe('the key that signs', () => {
  it('is neither deleted nor disabled, unless its user confirmed that', async () => {
    const peer = await hostilePeer(({ method, target }) =>
      method === 'DELETE'
        ? httpAnswer(204)
        : httpAnswer(200, { id: target.split('/').at(-1), name: 'renamed', enabled: false }),
    );
    const { apiKeys } = openClient(peer).api;
    const { keyId } = credential;
    const refused = { code: 'config', message: expect.stringContaining('key_4711 signs this command') };
    expect(await failureOf(apiKeys.delete(keyId))).toMatchObject(refused);
    expect(await failureOf(apiKeys.update(keyId, { enabled: false }))).toMatchObject(refused);
    expect(peer.requests).toEqual([]);
    await apiKeys.update(keyId, { name: 'renamed' });
    await apiKeys.update('key_other', { enabled: false });
    await apiKeys.update(keyId, { enabled: false }, { evenMine: true });
    await apiKeys.delete(keyId, { evenMine: true });
    expect(peer.requests).toHaveLength(4);
  });
});

describe('quotas', () => {
  it('reads the record out of its envelope, with what the service added', async () => {
    const { api, peer } = await apiOf(httpAnswer(200, { ...envelope, more: true }));
    expect(await api.quotas.read()).toEqual(record);
    expect(peer.requests.map(({ method, target }) => [method, target])).toEqual([['GET', '/quotas']]);
  });

  it.each([
    ['no body', '', /a body that is empty$/],
    ['white space', ' \n', /a body that is not JSON$/],
    ['HTML', '<html>\n<body>', /a body that is not JSON: "<html>"/],
    ['broken JSON', '{"data":', /a body that is not JSON: "{\\"data\\":"/],
    ['an array', '[]', /a body that is not of the expected form: /],
    ['null', 'null', /a body that is not of the expected form: /],
    ['no data', '{"total":1,"page":1}', /{ total: number, page: number }; looked for a quota record/],
    ['no figures', { data: [{ teams: { limit: 'many' } }] }, /data: list of 1 { teams: { limit: text/],
    ['no record', { ...envelope, data: [] }, /data: empty list/],
    ['bytes that are no UTF-8', Buffer.from('{"a":"n\u00ffver"}', 'latin1'), /not JSON/],
    ['deep JSON', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, /nested deeper than 128 levels: "\[/],
  ])('is a server error for %s', async (_name, body, message) => {
    const bytes = Buffer.isBuffer(body)
      ? body
      : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const head = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length}\r\n\r\n`);
    const { api } = await apiOf(Buffer.concat([head, bytes]), '/v1');
    const failure = await failureOf(api.quotas.read());
    expect(failure).toMatchObject({ code: 'server', status: 200, method: 'GET', path: '/v1/quotas' });
    expect(failure['message']).toMatch(/^GET \/v1\/quotas returned /);
    expect(failure['message']).toMatch(message);
  });

  it('minds neither the content type nor a byte order mark', async () => {
    const type = { 'Content-Type': 'nonsense' };
    const { api } = await apiOf(httpAnswer(200, `\ufeff${JSON.stringify(envelope)}`, type));
    expect(await api.quotas.read()).toEqual(record);
  });
});

describe('a list', () => {
  const item = { id: 'conn_1', name: 'a', extra: [1] };

  it('is read from an envelope', async () => {
    const page = { data: [item], total: 41, page: 2, limit: 20, pages: 3 };
    const { api, peer } = await apiOf(httpAnswer(200, page));
    expect(await api.connections.list({ limit: 20, page: 2 })).toMatchObject(page);
    expect(peer.requests[0]?.target).toBe('/connections?limit=20&page=2');
  });

  it('is read from a bare array, whose shape is not shown either', async () => {
    const { api, peer } = await apiOf(httpAnswer(200, [item]));
    expect(await api.teams.list()).toMatchObject({ data: [item], onward: { isBare: true } });
    expect(peer.requests[0]?.target).toBe('/teams');
  });
});

describe('single resources', () => {
  it('are created, read, changed and deleted at their paths', async () => {
    const peer = await hostilePeer(({ method, target }) =>
      method === 'DELETE'
        ? httpAnswer(204)
        : httpAnswer(200, { id: decodeURIComponent(target.replace('/teams/', '')), name: 'b' }),
    );
    const { api } = openClient(peer);
    await api.teams.create({ name: 'a' });
    await api.teams.get('team_1');
    await api.teams.update('a/b?c#d é', { name: 'b' });
    await api.teams.delete('team_1');
    expect(peer.requests.map(({ method, target, body }) => [method, target, body.toString()])).toEqual([
      ['POST', '/teams', '{"name":"a"}'],
      ['GET', '/teams/team_1', ''],
      ['PATCH', '/teams/a%2Fb%3Fc%23d%20%C3%A9', '{"name":"b"}'],
      ['DELETE', '/teams/team_1', ''],
    ]);
    const types = peer.requests.map((request) => headerOf(request, 'content-type'));
    expect(types).toEqual(['application/json', undefined, 'application/json', undefined]);
  });

  it.each(['', '.', '..', undefined, null, { id: 'team_1' }, ['team_1'], 5, true])(
    'have an ID that is no path segment: %j',
    async (id) => {
      const { api, peer } = await apiOf(httpAnswer(200, {}));
      const failure = { code: 'usage', message: `${JSON.stringify(id)} is not an ID` };
      for (const call of [api.teams.delete, api.teams.get, api.teams.update]) {
        expect(await failureOf(Reflect.apply(call, api.teams, [id]))).toEqual(failure);
      }
      expect(peer.connections).toBe(0);
    },
  );

  const circular: Record<string, unknown> = {};
  circular['self'] = circular;

  it.each([
    ['contains itself', circular],
    ['has a BigInt', { name: 1n }],
  ])('have no body that %s', async (_what, body) => {
    const { api, peer } = await apiOf(httpAnswer(200, {}));
    const message = expect.stringMatching(/^this call: `body` cannot be written as JSON: [^\n]+$/);
    for (const given of [[body], ['team_1', body]]) {
      const call = given.length === 1 ? api.teams.create : api.teams.update;
      expect(await failureOf(Reflect.apply(call, api.teams, given))).toMatchObject({
        code: 'usage',
        message,
      });
    }
    expect(peer.connections).toBe(0);
  });

  it('are not as they were sent if the answer shows another setting', async () => {
    const config = { host: 'H', port: 1, database: 'd', user: 'u', ssl: true };
    const create = async (shown: object) => {
      const { api } = await apiOf(httpAnswer(201, { id: 'conn_1', name: 'a', type: 'pg', config: shown }));
      return api.connections.create({ name: 'a', type: 'pg', config: { ...config, password: 'p' } });
    };
    expect(await create({ ...config, host: 'h', port: '1', ssl: '1' })).toMatchObject({ id: 'conn_1' });
    for (const ssl of [false, 0])
      expect(await failureOf(create({ ...config, ssl }))).toMatchObject({
        code: 'server',
        message: `POST /connections returned 201, but the resource has config.ssl: ${ssl}, although true was sent`,
      });
  });

  // What says that it was done, or was not: foreign-answers.test.ts.
  const unclear = [
    ...['{"code":40301,"message":"no","data":null}', '{"detail":"Permission denied"}', '{"success":0}'],
    ...['[]', 'null', 'forbidden', '0', '{"message":"deleted"}', '{"deleted":"no"}'],
  ];

  it.each(unclear)('were deleted only if they are gone where 200 to DELETE is unclear: %s', async (body) => {
    const both = [
      [404, {}, ['DELETE', 'GET']],
      [200, { code: 'outcome_unknown' }, ['DELETE', 'GET']],
    ] as const;
    for (const [status, failure, methods] of both) {
      const peer = await hostilePeer(({ method }) =>
        method === 'DELETE' ? httpAnswer(200, body) : httpAnswer(status, { id: 'team_1', name: 'a' }),
      );
      const { api } = openClient(peer);
      expect(await failureOf(api.teams.delete('team_1'))).toMatchObject(failure);
      expect(peer.requests.map(({ method }) => method)).toEqual(methods);
    }
  });

  it.each(['', 'created', '[]', '{"name":"no id"}'])(
    'whose answer is unreadable may have been created: %j',
    async (body) => {
      const { api, peer } = await apiOf(httpAnswer(201, body));
      expect(await failureOf(api.apiKeys.create({ name: 'ci' }))).toMatchObject({
        code: 'server',
        status: 201,
        retryable: false,
        hint: 'it may or may not have been carried out; check before you repeat it: orgctl api-keys list --all',
      });
      expect(peer.requests.length).toBe(1);
    },
  );
});
