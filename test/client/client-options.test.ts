import { readFileSync } from 'node:fs';
import { Agent, MockAgent } from 'undici';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type Client,
  type ClientOptions,
  createClient,
  OrgctlError,
  UsageError,
} from '../../src/client/index.js';
import { useService } from '../support/service.js';
import { credential } from './support/credential.js';

const service = useService();
beforeEach(() => service.server.control.reset());

function openClient(options: Partial<ClientOptions> = {}): Client {
  const { url, keyId, secret, caFile } = service.server;
  const client = createClient({ baseUrl: url, keyId, secret, caFile, env: {}, ...options });
  onTestFinished(() => client.close());
  return client;
}

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
    ['one of a wrong type', { ...good, timeout: '30s' }, '`timeout`: expected number'],
    ['no time at all', { ...good, timeout: 0 }, '`timeout`: must be more than 0'],
    ['a mode that there is not', { ...good, auth: 'digest' }, '`auth`'],
    ['none at all', undefined, 'createClient'],
  ])('are refused: %s', (_name, options, message) => {
    const open = () => Reflect.apply(createClient, undefined, [options]);
    expect(open).toThrow(UsageError);
    expect(open).toThrow(message);
  });

  it('are refused without a word of the secret', () => {
    const secret = 12_345_678_901;
    expect(() => Reflect.apply(createClient, undefined, [{ ...good, secret }])).toThrow(/^(?!.*1234567)/);
  });

  it('refuse plain HTTP to another machine', () => {
    expect(() => createClient({ ...good, baseUrl: 'http://api.example.com' })).toThrow('https://');
  });
});

describe('the options of a call', () => {
  it.each([
    ['a limit in words', { deadline: '5s' }, '`deadline`: expected number'],
    ['no time at all', { deadline: 0 }, '`deadline`: must be more than 0'],
    ['what is no signal', { signal: 5 }, '`signal`: expected an AbortSignal'],
    ['a signal that is none', { signal: null }, '`signal`: expected an AbortSignal'],
  ])('are refused before anything is sent: %s', async (_name, options, message) => {
    const { server } = service;
    const { request, quotas, teams } = openClient();
    const calls = [
      async () => Reflect.apply(quotas.read, undefined, [options]),
      async () => Reflect.apply(teams.create, undefined, [{ name: 'a' }, options]),
      async () => Reflect.apply(teams.all, undefined, [options])[Symbol.asyncIterator]().next(),
      async () => Reflect.apply(request, undefined, [{ method: 'GET', target: '/quotas', ...options }]),
    ];
    for (const call of calls) {
      const error = await failureOf(call());
      expect(error).toBeInstanceOf(UsageError);
      expect(error.message).toContain(`this call: ${message}`);
    }
    expect(await server.control.journal.get()).toEqual([]);
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
    const client = openClient(options);
    expect((await client.teams.get('team_1')).name).toBe('ops');
    expect(JSON.stringify(sent)).toMatch(/"x-api-signature":"[0-9a-f]{64}"/);
    await client.close();
    await expect(client.teams.get('team_1')).rejects.toThrow('this client is closed');
    await mocks.close();
  });

  it('is not closed with the client, which ends its own calls', async () => {
    const ca = readFileSync(String(service.server.caFile));
    const dispatcher = new Agent({ connect: { ca } });
    onTestFinished(() => dispatcher.destroy());
    const [one, other] = [1, 2].map(() => openClient({ caFile: undefined, dispatcher }));
    await service.server.control.faults.set(['GET /teams=delay:1h']);
    const pending = failureOf(Promise.resolve(one?.teams.list()));
    await vi.waitFor(async () =>
      expect(await service.server.control.faults.get()).toMatchObject([{ hits: 1 }]),
    );
    await one?.close();
    expect((await pending).message).toBe('this client is closed');
    expect(await other?.quotas.read()).toHaveProperty('teams');
  });

  it('excludes a CA file, which it would not read', () => {
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.destroy());
    expect(() => openClient({ dispatcher })).toThrow('`caFile` and `dispatcher` cannot be combined');
  });
});
