import { describe, expect, it } from 'vitest';
import { type ForeignAnswer, type ForeignForms, foreignService } from '../support/foreign-service.js';
import { errorOf, runCli, withProfileFile } from '../support/run-cli.js';

// Which answers are understood, and what they say: test/client/foreign-answers.test.ts and its neighbours.
const list = () => ({ body: [] });

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
    const stderr = expect.stringContaining('may still use it; look at it: orgctl teams get team_1 ');
    expect(await runCli(remove, { env })).toMatchObject({ code: 14, stderr });
  });

  it('that is refused with 410 says that the resource is gone, which a pruning apply wants', async () => {
    const change = () => ({ status: 410, body: { message: 'Gone' } });
    const { env } = await foreignService({ list: one, change });
    const stderr = expect.stringContaining('it no longer exists');
    expect(await runCli(remove, { env })).toMatchObject({ code: 14, stderr });
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

describe('settings that a change has dropped', () => {
  const config = { host: 'db', port: 5432, ssl: true };
  const rows = ['conn_a', 'conn_b'].map((id) => ({ id, name: id, type: 'pg', config }));
  const sent = { host: 'db2' };
  const update = ['connections', 'update', 'conn_a', 'conn_b', '--host', 'db2'];
  const apply = ['apply', '-', '--yes', '-o', 'json'];
  const stdin = JSON.stringify({
    version: 1,
    connections: rows.map((row) => ({ ...row, config: { ...config, ...sent } })),
  });

  /** A service whose response to PATCH has just what was sent, and that has this then. */
  function storing(stored: object) {
    const changed = new Set<string>();
    const show = (id: string, own: object) => ({ body: { ...rows[0], id, name: id, config: own } });
    return foreignService({
      kinds: ['connections'],
      list: () => ({ body: rows }),
      get: (id) => show(id, changed.has(id) ? stored : config),
      change: (_method, id) => show(changed.add(id) && id, sent),
    });
  }

  it.each([[update], [apply]])('are named, and no further one is changed: %j', async (args) => {
    const { env, calls } = await storing(sent);
    const ended = await runCli(args, { env, stdin });
    expect([ended.code, ended.stdout]).toEqual([
      12,
      expect.stringContaining('dropped config.port, config.ssl'),
    ]);
    expect(calls.filter((call) => call.startsWith('PATCH'))).toHaveLength(1);
  });

  it('are none where a look shows that they are still there', async () => {
    const { env } = await storing({ ...config, ...sent });
    expect((await runCli(update, { env })).code).toBe(0);
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
    { id: 'key_3', status: 'disabled' },
    { id: 'key_3', enabled: 0, last_used_at: 1_700_000_000 },
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

describe('quotas that cannot be read', () => {
  const read = async (body: unknown, line: string) => {
    const create = () => ({ status: 201, body: { id: 1 } });
    const { env } = await foreignService({ quotas: { body }, create });
    return runCli(line.split(' '), { env });
  };
  const connections = { limit: 10, used: 1 };

  it.each([{ teams: 10, connections: 10 }, {}])(
    'are an error if nothing else is there: %j',
    async (record) => {
      for (const more of ['', ' --fail-over 90 -q', ' --kind teams']) {
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

  it.each([
    [null, null],
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
    const figure = shown === null ? '' : `${shown}`;
    expect((await run('quotas -o csv --no-headers')).stdout).toContain(`connections,${figure},5,,`);
  });

  it('with a negative limit have room for whatever is created', async () => {
    const body = { teams: { limit: -1, used: 0, remaining: -1 } };
    const { env, calls } = await foreignService({ quotas: { body }, list });
    const dry = await runCli(['teams', 'create', '--name', 'a', '--dry-run'], { env });
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining('; the quota is unlimited\n') });
    const stdin = 'version: 1\nteams: [{ name: a }, { name: b }]\n';
    const planned = await runCli(['diff', '-'], { env, stdin });
    expect(planned).toMatchObject({ code: 0, stderr: expect.not.stringContaining('quota') });
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

it.each([
  [414, 'the path and query have 7 characters: shorten the ID or the query', '/quotas'],
  [431, 'shorten the headers that you add to the request, or send fewer', '/quotas'],
  [431, 'the path and query have 1012 characters', `/teams/team_${'s'.repeat(1000)}`],
])('a request that is too long is %i and says: %s', async (status, hint, target) => {
  const tooLong = { status, body: { message: 'Too long' } };
  const { env } = await foreignService({ quotas: tooLong, get: () => tooLong });
  const ended = await runCli(['request', 'GET', target, '-o', 'json'], { env });
  expect(ended.code).toBe(14);
  expect(errorOf(ended)).toMatchObject({ code: 'rejected', hint: expect.stringContaining(hint) });
});

const quotasOf = async (body: unknown) => {
  const { env } = await foreignService({ quotas: { body }, list: () => ({ body: [] }) });
  return (line: string, stdin?: string) => runCli(line.split(' '), { env, ...(stdin && { stdin }) });
};

describe('quotas of a kind that comes twice', () => {
  const keys = { kind: 'api-keys', limit: 20, used: 3 };
  const teams = { kind: 'teams', limit: 5, used: 5 };

  it.each<[unknown]>([
    [[keys, teams, { ...teams, used: 1 }]],
    [[keys, teams, { kind: 'teams' }]],
    [{ 'api-keys': keys, teams, api_keys: { limit: 20, used: 19 } }],
  ])('cannot be read if they differ: %j', async (body) => {
    const run = await quotasOf(body);
    const unread = {
      code: 10,
      stderr: expect.stringMatching(/the quota of (teams|api-keys) cannot be read/),
    };
    expect(await run('quotas --fail-over 101')).toMatchObject(unread);
    expect(await run('quotas')).toMatchObject({ ...unread, code: 0 });
  });

  it('are read if they agree', async () => {
    const run = await quotasOf([keys, teams, keys, teams]);
    expect(await run('quotas --fail-over 101')).toMatchObject({ code: 0, stderr: '' });
  });
});

it.each([[{ has_more: true }], [{ next: '/quotas?page=2' }]])(
  'quotas with further pages are no ground for a decision: %j',
  async (more) => {
    const run = await quotasOf({ data: [{ kind: 'connections', limit: 10, used: 1 }], ...more });
    const incomplete = { code: 10, stderr: expect.stringContaining('the quotas are incomplete') };
    expect(await run('quotas')).toMatchObject({ ...incomplete, code: 0 });
    expect(await run('quotas --fail-over 90')).toMatchObject(incomplete);
    expect(await run('quotas --kind teams')).toMatchObject(incomplete);
    expect((await run('quotas --kind connections --fail-over 90')).code).toBe(0);
    expect(await run('apply - --yes', 'version: 1\nteams: [{ name: b }]\n...\n')).toMatchObject(incomplete);
  },
);
