import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/index.js';
import { type ForeignAnswer, type ForeignForms, foreignService } from '../support/foreign-service.js';
import { errorOf, runCli, temporaryDirectory, withProfileFile } from '../support/run-cli.js';

// Which answers are understood, and what they say: test/client/foreign-answers.test.ts and its neighbours.
const secret = `${'Zq7'.repeat(21)}x`;
const create = ['api-keys', 'create', '--name', 'ci'];
const list = () => ({ body: [] });

it('a new key in a form of its own is shown, or goes into a file and not onto the screen', async () => {
  const body = { apiKey: { id: 'key_new', name: 'ci', apiSecret: secret } };
  const { env } = await foreignService({ create: () => ({ status: 201, body }), list });
  const table = await runCli(create, { env });
  expect(table.stdout).toMatch(new RegExp(`^ID +key_new\n(?:.*\n)*SECRET +${secret}\n`));
  const path = join(temporaryDirectory(), 'secret');
  const ended = await runCli([...create, '--secret-file', path, '-o', 'json'], { env });
  expect([ended.code, readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual([0, secret, 0o600]);
  expect(`${ended.stdout}${ended.stderr}`).not.toContain(secret);
});

it.each([[], ['--save-profile', 'new']])(
  'a new key whose name is not the sent one says so: %j',
  async (...sink) => {
    const body = { id: 'key_new', name: 'ci-1', secret };
    const { env } = await foreignService({ create: () => ({ status: 201, body }), list });
    const ended = await runCli([...create, ...sink], { env });
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('warning: the service stored the name as "ci-1", not as "ci"');
  },
);

it('a new key whose only ID is a number is no profile: it cannot sign, and the answer goes to a file', async () => {
  const { env } = await foreignService({ create: () => ({ status: 201, body: { id: 7, secret } }), list });
  const ended = await runCli([...create, '--save-profile', 'new'], { env });
  expect(ended).toMatchObject({ code: 10, stdout: '' });
  expect(readFileSync(/is in (\S+)/.exec(ended.stderr)?.[1] ?? '', 'utf8')).toContain(secret);
  expect((await runCli(['profile', 'show', 'new'], { env })).code).not.toBe(0);
});

describe('a single answer', () => {
  const team = { id: 'team_1', name: 'app' };

  it.each<[string, ForeignForms, string, number, string]>([
    [
      'a creation without an ID',
      { create: () => ({ body: { ok: true } }) },
      'create --name a',
      10,
      'it was carried out',
    ],
    [
      'a deletion that failed',
      { change: () => ({ body: { deleted: 0 } }) },
      'delete team_1 --yes',
      10,
      'deleted',
    ],
    [
      'a change in part',
      { change: () => ({ status: 207, body: team }) },
      'update team_1 --name app',
      10,
      '207',
    ],
    [
      'a promise',
      { change: () => ({ status: 202 }), get: () => ({ body: team }) },
      'delete team_1 --yes',
      11,
      'accepted (202)',
    ],
  ])('that does not say that it is done is not printed: %s', async (_what, forms, line, code, said) => {
    const { env } = await foreignService({ list, ...forms });
    const ended = await runCli(['teams', ...line.split(' ')], { env });
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(said) });
  });

  it('names an ID that looks like an option so that the command can be pasted', async () => {
    const { env } = await foreignService({
      list: () => ({ body: [] }),
      change: () => ({ status: 503 }),
      get: () => ({ body: { ...team, id: '--even-mine' } }),
    });
    const line = 'teams delete --yes --retries 0 -- --even-mine';
    const { stderr } = await runCli(line.split(' '), { env });
    const [, hinted = ''] = /orgctl (teams get .*)/.exec(stderr) ?? [];
    expect(hinted).toMatch(/-- --even-mine$/);
    expect(await runCli(hinted.split(' '), { env })).toMatchObject({ code: 0 });
  });

  it.each<[string, ForeignAnswer, string]>([
    ['2xx that is not understood', { status: 201, body: { ok: true } }, 'outcome unknown'],
    ['2xx that is no JSON', { status: 200, body: 'created' }, 'outcome unknown'],
    ['2xx that reports a failure', { status: 200, body: { success: false } }, 'outcome unknown'],
    ['a refusal', { status: 409, body: { error: 'taken' } }, 'failed'],
    ['a failure of the service', { status: 500, body: { error: 'down' } }, 'failed'],
    ['a gateway that gave up', { status: 504, body: { error: 'down' } }, 'outcome unknown'],
  ])('gives a row of bulk work the outcome that is known: %s', async (_name, answer, result) => {
    const quotas = { body: { data: [{ teams: { limit: 200, used: 100 } }] } };
    const { env } = await foreignService({ create: () => answer, quotas });
    const stdin = JSON.stringify([{ name: 'a' }]);
    const ended = await runCli(['teams', 'create', '--file', '-', '-o', 'json'], { env, stdin });
    expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([12, [{ name: 'a', result }]]);
  });
});

it('a change that the service ignores is not done by apply', async () => {
  const config = { host: 'old', port: 5432, database: 'd', user: 'u', ssl: true };
  const body = { id: 'conn_1', name: 'old', type: 'pg', config };
  const kinds = ['connections'];
  const { env } = await foreignService({ kinds, list: () => ({ body: [body] }), change: () => ({ body }) });
  const stdin = 'version: 1\nconnections:\n- { id: conn_1, name: old, config: { host: new } }\n';
  const ended = await runCli(['apply', '-', '--yes', '-o', 'json'], { env, stdin });
  expect(ended).toMatchObject({ code: 12, stdout: expect.stringContaining('config.host: \\"old\\"') });
});

describe('a filter of API keys', () => {
  const readable = [
    { id: 'key_1', enabled: false, last_used_at: '2020-01-01T00:00:00Z' },
    { id: 'key_2', enabled: true, last_used_at: '2099-01-01T00:00:00Z' },
    ...['0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z'].map((never, at) => ({
      ...{ id: `key_new${at}`, enabled: true, created_at: '2099-01-01T00:00:00Z', last_used_at: never },
    })),
  ];

  it.each([
    undefined,
    { id: 'key_3', status: 'suspended' },
    { id: 'key_3', enabled: 0, last_used_at: 20_261_101 },
    { id: 'key_3', created_at: '2020-01-01T00:00:00Z', lastSeen: '2026-01-01T00:00:00Z' },
  ])('says which keys it could not judge: %j', async (odd) => {
    const data = odd === undefined ? readable : [...readable, odd];
    for (const filter of [['--disabled'], ['--unused-for', '90d']]) {
      const { env } = await foreignService({ list: () => ({ body: { data, total: data.length } }) });
      const ended = await runCli(['api-keys', 'list', ...filter, '-o', 'json'], { env });
      expect([ended.code, JSON.parse(ended.stdout)]).toEqual([odd === undefined ? 0 : 10, [readable[0]]]);
      expect(ended.stderr.includes('1 of the API keys read')).toBe(odd !== undefined);
    }
  });
});

describe('the last use of a key', () => {
  const listUnused = async (used: unknown, age = '90d') => {
    const data = [{ id: 'key_3', name: 'a', created_at: '2020-01-01T00:00:00Z', last_used_at: used }];
    const { env } = await foreignService({ list: () => ({ body: { data, total: 1 } }) });
    return runCli(['api-keys', 'list', '--unused-for', age, '-o', 'json', '--query', '[].id'], { env });
  };

  it.each([1_700_000_000, '1700000000000', 'Tue, 14 Nov 2023 22:13:20 GMT', '2023-11-14 22:13:20', 0])(
    'is read however the service writes it: %j',
    async (used) => {
      const ended = await listUnused(used);
      expect([ended.code, JSON.parse(ended.stdout)]).toEqual([0, ['key_3']]);
    },
  );

  it.each<[unknown, string]>([
    ['14/11/2023', 'last_used_at "14/11/2023" of key_3'],
    [20_231_114, 'last_used_at 20231114 of key_3'],
    ['', 'last_used_at "" of key_3'],
    [new Date(Date.now() - 86_400_000).toISOString().slice(0, 19), 'last_used_at "2'],
  ])('is named where it cannot be read, or only with its zone: %j', async (used, said) => {
    const ended = await listUnused(used, '1d');
    expect(ended).toMatchObject({ code: 10, stdout: '[]\n' });
    expect(errorOf(ended)['message']).toContain(
      `1 of the API keys read are not shown: the filter cannot read ${said}`,
    );
  });
});

describe('a key that is disabled in other words', () => {
  const off = { id: 'key_7', name: 'old', disabled: true };
  const on = { id: 'key_8', name: 'new', disabled: false };

  it('is listed as disabled, and stays as it came in JSON', async () => {
    const { env } = await foreignService({ list: () => ({ body: { data: [off, on], total: 2 } }) });
    const rows = await runCli(['api-keys', 'list', '--disabled', '-o', 'json'], { env });
    expect([rows.code, JSON.parse(rows.stdout)]).toEqual([0, [off]]);
    const table = await runCli(['api-keys', 'list', '--columns', 'id,enabled', '-o', 'csv'], { env });
    expect(table.stdout).toBe('id,enabled\nkey_7,false\nkey_8,true\n');
  });

  it('is not live for apply, and is seen to be disabled', async () => {
    const signing = { id: 'key_test', name: 'mine', disabled: false };
    const keys = [off, on, signing];
    const list = () => ({ body: { data: keys, total: 3 } });
    const change = () => ({ body: { ...on, disabled: true } });
    const { env } = await foreignService({ kinds: ['api-keys'], list, change });
    const file = (enabled: boolean) =>
      ['old', 'new'].map((name) => `\n- { name: ${name}, enabled: ${enabled} }`).join('');
    const diff = async (enabled: boolean) => {
      const stdin = `version: 1\napi-keys:${file(enabled)}\n`;
      const ended = await runCli(['diff', '-', '-o', 'json'], { env, stdin });
      return JSON.parse(ended.stdout).changes;
    };
    expect(await diff(true)).toMatchObject([{ name: 'old', action: 'enable' }]);
    expect(await diff(false)).toMatchObject([{ name: 'new', action: 'change' }]);
    expect((await runCli(['api-keys', 'disable', 'new', '--yes'], { env })).code).toBe(0);
  });
});

describe('quotas that cannot be read', () => {
  const read = async (body: unknown, line: string) => {
    const create = () => ({ status: 201, body: { id: 1 } });
    const { env } = await foreignService({ quotas: { body }, create });
    return runCli(line.split(' '), { env });
  };
  const connections = { limit: 10, used: 1 };

  it.each([{ teams: { max: 10, current: 10 } }, { teams: 10, connections: 10 }, {}])(
    'are an error if nothing else is there: %j',
    async (record) => {
      for (const more of ['', ' --fail-over 90', ' --fail-over 90 -q', ' --kind teams']) {
        const ended = await read({ data: [record] }, `quotas${more}`);
        const stderr = expect.not.stringContaining('reports no quotas');
        expect([more, ended]).toMatchObject([more, { code: 10, stdout: '', stderr }]);
      }
      const json = await read({ data: [record] }, 'quotas -o json');
      expect([json.code, JSON.parse(json.stdout)]).toEqual([10, record]);
    },
  );

  it('are named beside others, and count for --fail-over, --kind and a plan', async () => {
    const body = { teams: { limit: 10 }, connections };
    const plain = await read(body, 'quotas');
    expect(plain).toMatchObject({ code: 0, stdout: expect.stringContaining('connections') });
    expect(plain.stderr).toContain('the quota of teams cannot be read');
    const shown = { teams: { limit: 10 }, connections: { ...connections, remaining: 9 } };
    expect(JSON.parse((await read(body, 'quotas -o json')).stdout)).toEqual(shown);
    expect((await read(body, 'quotas --fail-over 90')).code).toBe(10);
    expect((await read(body, 'quotas --fail-over 5')).code).toBe(13);
    expect((await read(body, 'quotas --kind teams')).code).toBe(10);
    const other = await read(body, 'quotas --kind connections --fail-over 90');
    expect(other).toMatchObject({ code: 0, stderr: '' });
    expect((await read(body, 'teams create --name a --up-to-quota')).code).toBe(10);
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
    const body = { teams: { limit: -1, used: 0, remaining: -1 } };
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

  it('are a row of --all-profiles', async () => {
    const { origin } = await foreignService({ quotas: { body: { teams: 10, connections } } });
    const main = { baseUrl: origin, keyId: 'key_test', secret: 's'.repeat(64) };
    const env = withProfileFile({ version: 1, current: 'main', profiles: { main } });
    const { code, stdout } = await runCli(['quotas', '--all-profiles'], { env });
    expect([code, stdout]).toEqual([12, expect.stringContaining('quota of teams cannot be read')]);
    expect(stdout).toMatch(/main +connections +10/);
  });
});

describe('a request that is too long', () => {
  it.each([
    [414, 'the path and query have 7 characters: shorten the ID or the query', '/quotas'],
    [431, 'shorten the headers that you add to the request, or send fewer', '/quotas'],
    [431, 'the path and query have 1010 characters', `/quotas?x=${'s'.repeat(1000)}`],
    [431, 'the path and query have 1012 characters', `/teams/team_${'s'.repeat(1000)}`],
  ])('is %i and says: %s', async (status, hint, target) => {
    const tooLong = { status, body: { message: 'Too long' } };
    const { env } = await foreignService({ quotas: tooLong, get: () => tooLong });
    const ended = await runCli(['request', 'GET', target, '-o', 'json'], { env });
    expect(ended.code).toBe(14);
    expect(errorOf(ended)).toMatchObject({ code: 'rejected', hint: expect.stringContaining(hint) });
  });
});
