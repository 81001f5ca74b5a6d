import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/index.js';
import { type ForeignAnswer, foreignService } from '../support/foreign-service.js';
import { errorOf, runCli, temporaryDirectory } from '../support/run-cli.js';

const secret = `${'Zq7'.repeat(21)}x`;
const name = 'ci';
const create = ['api-keys', 'create', '--name', name];
const list = () => ({ body: [] });
const keys: Readonly<Record<string, unknown>> = {
  'the reference’s names': { id: 'key_new', name, secret },
  secret_key: { id: 'key_new', name, secret_key: secret },
  'api_secret, in data': { data: { id: 'key_new', name, api_secret: secret } },
  'apiSecret, in apiKey': { apiKey: { id: 'key_new', name, apiSecret: secret } },
  'key_secret, in api_key': { api_key: { id: 'key_new', name, key_secret: secret } },
  'token, in key': { key: { id: 'key_new', name, token: secret } },
  private_key: { id: 'key_new', name, private_key: secret },
  'a short secret under a known name': { id: 'key_new', name, clientSecret: 'short' },
  'the secret beside the key': { api_key: { id: 'key_new', name }, secret },
  'a number beside the ID that signs': { id: 5, key_id: 'key_new', name, secret },
  'the ID that signs in key': { data: { key: 'key_new', name, secret } },
  'a digest beside the secret': { id: 'key_new', name, secret, fingerprint: 'f'.repeat(64) },
  'an unknown name of 64 characters': { id: 'key_new', name, once: secret, sha256: 'f'.repeat(64) },
  'in a list of one': { data: [{ id: 'key_new', name, secret }] },
};

it.each(Object.entries(keys))('a new key as %s shows its ID and its secret', async (_name, body) => {
  const expected = JSON.stringify(body).includes('short') ? 'short' : secret;
  const { env } = await foreignService({ create: () => ({ status: 201, body }), list });
  const ended = await runCli([...create, '-o', 'json'], { env });
  expect(ended.code).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({ id: 'key_new', secret: expected });
  const table = await runCli(create, { env });
  expect(table.stdout).toMatch(new RegExp(`^ID +key_new\n(?:.*\n)*SECRET +${expected}\n`));
});

it('a new key in a form of its own goes into a file, and not onto the screen', async () => {
  const body = keys['apiSecret, in apiKey'];
  const { env } = await foreignService({ create: () => ({ status: 201, body }), list });
  const path = join(temporaryDirectory(), 'secret');
  const ended = await runCli([...create, '--secret-file', path, '-o', 'json'], { env });
  expect([ended.code, readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual([0, secret, 0o600]);
  expect(`${ended.stdout}${ended.stderr}`).not.toContain(secret);
});

it('a new key whose only ID is a number is no profile: it cannot sign, and the answer goes to a file', async () => {
  const { env } = await foreignService({ create: () => ({ status: 201, body: { id: 7, secret } }), list });
  const ended = await runCli([...create, '--save-profile', 'new'], { env });
  expect(ended).toMatchObject({ code: 10, stdout: '' });
  expect(readFileSync(/is in (\S+)/.exec(ended.stderr)?.[1] ?? '', 'utf8')).toContain(secret);
  expect((await runCli(['profile', 'show', 'new'], { env })).code).not.toBe(0);
});

describe('a single answer', () => {
  const app = { id: 'team_1', name: 'app' };

  it.each<[string, unknown, unknown]>([
    ['bare', app, app],
    ['in data', { data: app }, app],
    ['in result', { result: app, ok: true }, app],
    ['in its own name', { team: app }, app],
    ['in data, a list of one', { data: [app] }, app],
    ['with a field of its own called data', { ...app, data: { id: 'x' } }, { ...app, data: { id: 'x' } }],
    ['with a number as its ID', { id: 5, name: 'app' }, { id: 5, name: 'app' }],
    ['with its ID in team_id', { team_id: 'team_1' }, { team_id: 'team_1', id: 'team_1' }],
  ])('is read %s', async (_name, body, expected) => {
    const { env } = await foreignService({ get: () => ({ body }), create: () => ({ status: 200, body }) });
    for (const line of ['teams get team_1', 'teams create --name app']) {
      const ended = await runCli([...line.split(' '), '-o', 'json'], { env });
      expect([line, ended.code, JSON.parse(ended.stdout)]).toEqual([line, 0, expected]);
    }
  });

  const createApp = ['teams', 'create', '--name', 'app'];

  it.each([201, 202, 204])('is fetched from Location after an empty %i', async (status) => {
    const create = () => ({ status, headers: { Location: '/teams/team_1' } });
    const { env, calls } = await foreignService({ create, get: () => ({ body: { data: app } }) });
    const ended = await runCli([...createApp, '-o', 'json'], { env });
    expect(JSON.parse(ended.stdout)).toEqual(app);
    expect(calls).toEqual(['POST /teams', 'GET /teams/team_1']);
    const gone = await foreignService({ create });
    const known = await runCli([...createApp, '--query', 'id', '-r'], gone);
    expect(known).toMatchObject({ code: 0, stdout: 'team_1\n' });
  });

  it.each([
    'https://evil.example/teams/team_1',
    '/api-keys/key_1',
    '/teams/',
    '/teams/a/b',
    '//evil.example/teams/1',
  ])('is not fetched from another place: %s', async (location) => {
    const { env, calls } = await foreignService({
      create: () => ({ status: 201, headers: { Location: location } }),
      get: () => ({ body: app }),
    });
    expect((await runCli(createApp, { env })).code).toBe(10);
    expect(calls).toEqual(['POST /teams']);
  });
});

describe('quotas', () => {
  const record = {
    'api-keys': { limit: 20, used: 3, remaining: 17 },
    teams: { limit: 5, used: 5, remaining: 0 },
  };
  const entries = Object.entries(record).map(([kind, quota]) => ({ kind, ...quota }));
  const texts = Object.fromEntries(
    Object.entries(record).map(([kind, { limit, used }]) => [kind, { limit: `${limit}`, used: `${used}` }]),
  );

  it.each<[string, unknown]>([
    ['bare, with fields beside', { ...record, organization: 'org_1', plan: { name: 'x' }, updated: 5 }],
    ['in quotas', { quotas: record }],
    ['in data', { data: record }],
    ['as a list with kinds', entries],
    ['as a list in quotas', { quotas: entries.map(({ kind, ...quota }) => ({ resource: kind, ...quota })) }],
    ['as a list in data', { data: entries.map(({ kind, ...quota }) => ({ name: kind, ...quota })) }],
    ['as text, without what remains', { data: [texts] }],
    ['in camel case', { apiKeys: record['api-keys'], teams: record.teams }],
  ])('are read %s', async (_name, body) => {
    const { env } = await foreignService({ quotas: { body } });
    const ended = await runCli(['quotas', '-o', 'json'], { env });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject(record);
    expect(Object.keys(JSON.parse(ended.stdout)).toSorted()).toEqual(['api-keys', 'teams']);
  });

  it.each<[unknown, number | null]>([
    [null, null],
    [-1, -1],
    ['-1', -1],
  ])('with the limit %j are unlimited, never full, and keep it as JSON', async (limit, shown) => {
    const body = { connections: { limit, used: 5 }, teams: { limit: 10, used: 1 } };
    const { env } = await foreignService({ quotas: { body } });
    const run = (line: string) => runCli(line.split(' '), { env });
    expect(await run('quotas --fail-over 0.1 --kind connections')).toMatchObject({
      ...{ code: 0, stdout: expect.stringMatching(/connections +unlimited +5 +unlimited/) },
    });
    expect((await run('quotas --fail-over 5')).code).toBe(13);
    expect(JSON.parse((await run('quotas -o json')).stdout)).toEqual({
      connections: { limit: shown, used: 5, remaining: null },
      teams: { limit: 10, used: 1, remaining: 9 },
    });
    const watched = await run('quotas --watch 100ms --fail-over 5 -o jsonl');
    expect(watched).toMatchObject({ code: 13, stderr: expect.stringContaining('at or over 5%: teams 1/10') });
    expect(watched.stdout).toContain(`"kind":"connections","limit":${shown},`);
    const figure = shown === null ? '' : `${shown}`;
    expect((await run('quotas -o csv --no-headers')).stdout).toContain(`connections,${figure},5,,`);
  });

  it.each<[unknown]>([[[-1]], [{ toString: 1 }], [-1.5], ['-']])(
    'with the limit %j cannot be read',
    async (limit) => {
      const { env } = await foreignService({ quotas: { body: { teams: { limit, used: 1 } } } });
      expect(await runCli(['quotas'], { env })).toMatchObject({ code: 10, stdout: '' });
    },
  );

  it('with a negative limit have room for whatever is created', async () => {
    const body = { teams: { limit: -1, used: 5, remaining: -6 } };
    const { env, origin, calls } = await foreignService({ quotas: { body }, list });
    const dry = await runCli(['teams', 'create', '--name', 'a', '--dry-run'], { env });
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining('; the quota is unlimited\n') });
    const file = join(temporaryDirectory(), 'org.yaml');
    writeFileSync(file, 'version: 1\nteams:\n  - name: a\n  - name: b\n');
    const planned = await runCli(['diff', file], { env });
    expect(planned).toMatchObject({ code: 0, stderr: expect.not.stringContaining('quota') });
    await using client = createClient({ baseUrl: origin, keyId: 'key_test', secret, env: {} });
    expect(await client.quotas.read()).toMatchObject({ teams: { limit: Infinity, remaining: Infinity } });
    expect(calls).not.toContain('POST /teams');
  });
});

describe('an error', () => {
  const refused = async (answer: ForeignAnswer) => {
    const { env } = await foreignService({ create: () => answer });
    return errorOf(await runCli(['teams', 'create', '--name', 'a', '-o', 'json'], { env }));
  };

  it.each<[unknown, unknown]>([
    [{ detail: 'no such thing' }, 'no such thing'],
    [{ type: 'about:blank', title: 'Bad', status: 409, detail: 'no such thing' }, 'Bad: no such thing'],
    [{ errors: [{ field: 'name', message: 'is too long' }, 'and more'] }, 'name: is too long; and more'],
    [{ message: 'Bad', errors: [{ path: 'name', message: 'is too long' }] }, 'Bad: name: is too long'],
    [{ errors: { name: ['is too long'] } }, 'name: is too long'],
    [{ constructor: 'x' }, expect.stringContaining('the service returned 409: {"constructor"')],
  ])('says what %j says', async (body, message) => {
    expect(await refused({ status: 409, body })).toMatchObject({ code: 'rejected', message });
  });

  const headers = { 'X-Quota-Limit': '20', 'X-Quota-Used': '20', 'X-Quota-Remaining': '0' };
  const exceeded = { code: 'quota_exceeded', exitCode: 7, quota: { kind: 'teams', limit: 20, used: 20 } };

  it.each<[string, ForeignAnswer, object]>([
    ['full', { headers, body: { error: 'too many' } }, exceeded],
    ['full, a disabled key', { headers, body: { detail: 'API key is disabled' } }, { exitCode: 5 }],
    ['not full', { headers: { ...headers, 'X-Quota-Used': '19' }, body: { error: 'no' } }, { exitCode: 5 }],
  ])('is an exceeded quota by the headers: %s', async (_name, answer, error) => {
    expect(await refused({ status: 403, ...answer })).toMatchObject(error);
  });

  it.each([
    [414, 'the path and query have 7 characters: shorten the ID or the query', '/quotas'],
    [431, 'shorten the headers that you add to the request, or send fewer', '/quotas'],
    [431, 'the path and query have 1010 characters', `/quotas?x=${'s'.repeat(1000)}`],
    [431, 'the path and query have 1012 characters', `/teams/team_${'s'.repeat(1000)}`],
  ])('for a request that is too long (%i) says: %s', async (status, hint, target) => {
    const tooLong = { status, body: { message: 'Too long' } };
    const { env } = await foreignService({ quotas: tooLong, get: () => tooLong });
    const ended = await runCli(['request', 'GET', target, '-o', 'json'], { env });
    expect(ended.code).toBe(14);
    expect(errorOf(ended)).toMatchObject({ code: 'rejected', hint: expect.stringContaining(hint) });
  });

  const now = { Date: new Date(1_000_000_000_000).toUTCString() };

  it.each<[Record<string, string>, number]>([
    [{ 'RateLimit-Reset': '130' }, 130],
    [{ RateLimit: '"default";r=0;t=150' }, 150],
    [{ RateLimit: '"burst";r=5;t=600, "default";r=0;t=150' }, 150],
    [{ RateLimit: 'limit=100, remaining=0, reset=160' }, 160],
    [{ 'X-RateLimit-Reset': '170' }, 170],
    [{ 'X-RateLimit-Reset': '1000000180', ...now }, 180],
    [{ 'X-RateLimit-Reset': '1000000190000', ...now }, 190],
    [{ 'X-RateLimit-Reset': '5', ...now, 'Retry-After': '200' }, 200],
  ])('that asks to wait is waited for by %j', async (headers, retryAfter) => {
    expect(await refused({ status: 429, headers, body: { error: 'slow down' } })).toMatchObject({
      ...{ code: 'rate_limited', message: 'slow down', retryAfter },
    });
  });
});

describe('a single answer without an ID', () => {
  const list = () => ({ body: [{ id: 'team_a', name: 'a' }] });
  const ok = { body: { ok: true } };

  it.each([
    ['a creation', ['create', '--name', 'new']],
    ['a creation whose ID is asked for', ['create', '--name', 'new', '--query', 'id', '-r']],
    ['a resource', ['get', 'team_a']],
  ])('is not shown as %s', async (_, args) => {
    const { env } = await foreignService({ list, create: () => ok, get: () => ok });
    const ended = await runCli(['teams', ...args], { env });
    expect(ended).toMatchObject({ code: 10, stdout: '' });
    expect(ended.stderr).toContain('an object with an ID');
    expect(ended.stderr.includes('it was carried out')).toBe(args[0] !== 'get');
  });

  it('to a change has the ID that was asked for', async () => {
    const { env } = await foreignService({ list, change: () => ok });
    const ended = await runCli(['teams', 'update', 'a', '--name', 'b', '--query', 'id', '-r'], { env });
    expect(ended).toMatchObject({ code: 0, stdout: 'team_a\n' });
  });
});
