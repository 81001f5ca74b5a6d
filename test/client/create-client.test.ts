import { inspect } from 'node:util';
import { Agent, interceptors } from 'undici';
import { beforeEach, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import {
  type Client,
  type ClientOptions,
  createClient,
  isPostgresConnection,
  OrgctlError,
  UsageError,
} from '../../src/client/index.js';
import { hostilePeer, httpAnswer } from '../support/hostile-peer.js';
import { useService } from '../support/service.js';
import { credential } from './support/open-client.js';

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

const good = { baseUrl: 'https://api.example.com', ...credential };

it.each([
  ['an unknown one', { ...good, baseURL: 'x' }, 'Unrecognized key: "baseURL"'],
  [
    'one of a wrong type',
    { ...good, timeout: '30s' },
    'timeout: Invalid input: expected number, received string',
  ],
  ['a secret, which is not shown', { ...good, secret: 12_345_678 }, /^(?!.*1234567)/],
  ['plain HTTP to another machine', { ...good, baseUrl: 'http://api.example.com' }, 'https://'],
])('createClient refuses options: %s', (_name, options, message) => {
  const open = () => Reflect.apply(createClient, undefined, [options]);
  expect(open).toThrow(UsageError);
  expect(open).toThrow(message);
});

it('a dispatcher of the program follows no redirect, which would take the credential elsewhere', async () => {
  const elsewhere = await hostilePeer(() => httpAnswer(200, { id: 'team_1', name: 'ops' }));
  const peer = await hostilePeer(() => httpAnswer(307, '', { location: `${elsewhere.origin}/teams/team_1` }));
  const dispatcher = new Agent().compose(interceptors.redirect({ maxRedirections: 3 }));
  onTestFinished(() => dispatcher.destroy());
  const { teams } = openClient({ baseUrl: peer.origin, caFile: undefined, dispatcher });
  expect(await failureOf(teams.get('team_1'))).toMatchObject({ details: { status: 307 } });
  expect(elsewhere.requests).toEqual([]);
});

const secret = `${'Zq7'.repeat(21)}x`;
const whole = (body: string) => httpAnswer(201, body);

it.each([
  ['no secret', whole(JSON.stringify({ id: 'key_1', hash: secret }))],
  ['two secrets', whole(JSON.stringify({ id: 'key_1', token: 'short', value: 'other', note: secret }))],
  ['no ID', whole(JSON.stringify({ secret }))],
  ['an unknown envelope', whole(JSON.stringify({ envelope: { id: 'key_1', secret } }))],
  ['a list', whole(JSON.stringify([{ id: 'key_1', secret }]))],
  ['no end', httpAnswer(201, `{"id":"key_1","secret":"${secret}"`, { 'Content-Length': '500' })],
])(
  'an answer to the creation of a key that is not understood is behind the error, and not shown with it: %s',
  async (_name, answer) => {
    const peer = await hostilePeer((_request, socket) => socket.end(answer));
    const error = await failureOf(openClient({ baseUrl: peer.origin }).apiKeys.create({ name: 'ci' }));
    expect(error.answer?.status).toBe(201);
    expect(error.answer?.body.toString()).toContain(secret);
    const inspected = inspect(error, { depth: 9, showHidden: true });
    const logged = [inspected, JSON.stringify(error), String(error.stack)];
    // Neither as text nor as the bytes of a buffer.
    expect(logged.join()).not.toMatch(/Zq7|5a 71 37|90,113,55/);
  },
);

it('a client that only reads sends no change; after an aborted signal, no request is sent', async () => {
  const change = openClient({ readOnly: true }).teams.create({ name: 'ops' });
  expect((await failureOf(change)).code).toBe('config');
  const options = { signal: AbortSignal.abort(new Error('no longer wanted')) };
  const { teams, apiKeys, quotas } = openClient();
  const calls = [
    ...[teams.create({ name: 'ops' }, options), teams.get('t', options), teams.list(options)],
    ...[apiKeys.update('k', { enabled: false }, options), apiKeys.delete('k', options)],
    quotas.read(options),
  ];
  const ends = await Promise.allSettled<unknown>(calls);
  expect(ends).toEqual(calls.map(() => ({ status: 'rejected', reason: options.signal.reason })));
  expect((await teams.list()).data).toEqual([]);
  for (const name of ['ops', 'web']) await teams.create({ name });
  const enough = new AbortController();
  const pages = teams.pages({ limit: 1, signal: enough.signal })[Symbol.asyncIterator]();
  await pages.next();
  enough.abort(new Error('enough'));
  await expect(pages.next()).rejects.toThrow('enough');
});

it('a client creates, reads, changes and deletes, with the types of what it answers', async () => {
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
