import { describe, expect, it } from 'vitest';
import { type ForeignAnswer, type ForeignForms, foreignService } from '../support/foreign-service.js';
import { errorOf, runCli } from '../support/run-cli.js';

// Which answers are understood, and what they say: test/client/foreign-answers.test.ts and its neighbours.
const list = () => ({ body: [] });

it.each([[], ['--save-profile', 'new']])(
  'a new key whose name is not the sent one says so: %j',
  async (...sink) => {
    const body = { id: 'key_new', name: 'ci-1', secret: 's'.repeat(64) };
    const { env } = await foreignService({ create: () => ({ status: 201, body }), list });
    const ended = await runCli(['api-keys', 'create', '--name', 'ci', ...sink], { env });
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('warning: the service stored the name as "ci-1", not as "ci"');
  },
);

describe.each(['api-keys create --name ci', 'api-keys create --name ci --save-profile new'])(
  '202 to %s',
  (line) => {
    const key = { id: 'key_new', name: 'ci', secret: 's'.repeat(64) };

    it.each<[string, ForeignAnswer, number]>([
      ['that shows the key by its ID is done', { body: { id: 'key_new', name: 'ci' } }, 0],
      ['that shows it with its ID in another field is done', { body: { key_id: 'key_new', name: 'ci' } }, 0],
      ['that never shows it is not, and loses no secret', { status: 404 }, 11],
    ])('%s', async (_what, got, code) => {
      const { env } = await foreignService({
        create: () => ({ status: 202, body: key }),
        get: () => got,
        list,
      });
      const ended = await runCli(line.split(' '), { env });
      expect(ended).toMatchObject({ code, stdout: expect.stringContaining('key_new') });
      const shown = line.endsWith('new') ? await runCli('profile env new --yes'.split(' '), { env }) : ended;
      expect(shown.stdout).toContain(key.secret);
    });
  },
);

describe('a single answer', () => {
  const team = { id: 'team_1', name: 'app' };

  const promise = { change: () => ({ status: 202 }), get: () => ({ body: team }) };
  const inPart = { change: () => ({ status: 207, body: team }) };

  it.each<[string, ForeignForms, string, number, string]>([
    ['a change in part', inPart, 'update team_1 --name app', 10, '207'],
    ['a promise', promise, 'delete team_1 --yes', 11, 'accepted (202)'],
  ])('that does not say that it is done is not printed: %s', async (_what, forms, line, code, said) => {
    const { env } = await foreignService({ list, ...forms });
    const ended = await runCli(['teams', ...line.split(' ')], { env });
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(said) });
  });

  it.each([
    ['--even-mine', /-- --even-mine$/],
    ['a/b?c d', / 'a\/b\?c d'$/],
  ])('names the ID %j so that the command can be pasted', async (id, pasted) => {
    const { env } = await foreignService({
      list: () => ({ body: [{ ...team, id }] }),
      change: () => ({ status: 503 }),
      get: () => ({ body: { ...team, id } }),
    });
    const line = ['teams', 'delete', '--yes', '--retries', '0', '-o', 'json', '--', id];
    const { hint, next } = errorOf(await runCli(line, { env }));
    expect(hint).toMatch(pasted);
    const words = Array.isArray(next) ? next.slice(1).map(String) : [];
    expect(words.slice(0, 2)).toEqual(['teams', 'get']);
    expect(await runCli(words, { env })).toMatchObject({ code: 0 });
  });

  it.each<[string, ForeignAnswer]>([
    ['a failure', { status: 200, body: { error: 'down' } }],
    ['a job', { status: 202, body: { id: 'job_1' } }],
  ])('that may be no new key is not said to be one: %s', async (_what, answer) => {
    const { env } = await foreignService({ create: () => answer });
    const ended = await runCli(['api-keys', 'create', '--name', 'a', '-o', 'json'], { env });
    expect([ended.code, errorOf(ended)]).toMatchObject([
      10,
      { hint: expect.stringMatching(/^a key may have been created; its response is on stdout/) },
    ]);
  });

  it.each<[string, ForeignAnswer, string]>([
    ['2xx that is not understood', { status: 201, body: { ok: true } }, 'outcome unknown'],
    ['a gateway that gave up', { status: 504, body: { error: 'down' } }, 'outcome unknown'],
  ])('gives a row of bulk work the outcome that is known: %s', async (_name, answer, result) => {
    const quotas = { body: { data: [{ teams: { limit: 200, used: 100 } }] } };
    const { env } = await foreignService({ create: () => answer, quotas });
    const stdin = JSON.stringify([{ name: 'a' }]);
    const ended = await runCli(['teams', 'create', '--file', '-', '-o', 'json'], { env, stdin });
    expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([12, [{ name: 'a', result }]]);
  });
});

describe('a deletion', () => {
  const one = () => ({ body: [{ id: 'team_1', name: 'a' }] });
  const remove = ['teams', 'delete', 'team_1', '--yes'];

  it('that is refused with 409 is not a matter of names', async () => {
    const change = () => ({ status: 409, body: { message: 'no' } });
    const { env } = await foreignService({ list: one, change });
    const stderr = expect.stringContaining('orgctl teams get team_1\n');
    expect(await runCli(remove, { env })).toMatchObject({ code: 14, stderr });
  });

  it('that is refused with 410 says that the resource is gone, which a pruning apply wants', async () => {
    const change = () => ({ status: 410, body: { message: 'Gone' } });
    const { env } = await foreignService({ list: one, change });
    expect(await runCli(remove, { env })).toMatchObject({
      code: 14,
      stderr: expect.stringContaining('Gone'),
    });
    const stdin = 'version: 1\nteams: []\n...\n';
    const applied = await runCli(['apply', '-', '--yes', '--prune=all', '-o', 'json'], { env, stdin });
    expect([applied.code, JSON.parse(applied.stdout)]).toMatchObject([
      0,
      [{ id: 'team_1', result: 'deleted' }],
    ]);
  });

  it('that was only promised is done when the look at it gets 410', async () => {
    const { env } = await foreignService({ change: () => ({ status: 202 }), get: () => ({ status: 410 }) });
    expect((await runCli(remove, { env })).code).toBe(0);
  });
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
      if (odd === undefined) expect([ended.code, JSON.parse(ended.stdout)]).toEqual([0, [readable[0]]]);
      else expect([ended.code, ended.stdout]).toEqual([10, '']);
      expect(ended.stderr.includes('the filter cannot read')).toBe(odd !== undefined);
    }
  });
});

describe('the last use of a key', () => {
  const listUnused = async (used: unknown, age = '90d') => {
    const data = [{ id: 'key_3', name: 'a', created_at: '2020-01-01T00:00:00Z', last_used_at: used }];
    const { env } = await foreignService({ list: () => ({ body: { data, total: 1 } }) });
    return runCli(['api-keys', 'list', '--unused-for', age, '-o', 'json', '--query', '[].id'], { env });
  };

  it.each([1_700_000_000, '1700000000000', '2023-11-14 22:13:20', 0])(
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
    ['Tue, 14 Nov 2023 22:13:20 GMT', 'last_used_at "Tue, 14 Nov 2023 22:13:20 GMT" of key_3'],
  ])('is named where it cannot be read: %j', async (used, said) => {
    const ended = await listUnused(used, '1d');
    expect(ended).toMatchObject({ code: 10, stdout: '' });
    expect(errorOf(ended)['message']).toBe(`the filter cannot read ${said}`);
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
