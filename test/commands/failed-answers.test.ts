import { describe, expect, it } from 'vitest';
import { type ForeignAnswer, type ForeignForms, foreignService } from '../support/foreign-service.js';
import { runCli, withProfileFile } from '../support/run-cli.js';
import { organization } from './support/organization.js';

const full = { body: { data: [{ teams: { limit: 200, used: 100 } }] } };

describe('a list with a success status', () => {
  it.each<[string, ForeignAnswer, string]>([
    ['success is false', { body: { success: false, data: [] } }, ''],
    ['ok is false', { body: { ok: false, items: [] } }, ''],
    ['errors', { body: { data: [], errors: [{ message: 'down' }] } }, 'reports a failure: down'],
    ['an error', { body: { data: [], error: 'down' } }, 'reports a failure: down'],
    ['an error as an object', { body: { data: [], error: { code: 5 } } }, ''],
    ['a status of its own', { body: { data: [], status: 'error', message: 'down' } }, 'failure: down'],
    ['206', { status: 206, body: [] }, 'returned 206'],
    ['202', { status: 202, body: [] }, 'returned 202'],
  ])('is no list if it reports a failure: %s', async (_name, answer, said) => {
    const { env, calls } = await foreignService({ list: () => answer, quotas: full });
    const stdin = organization({ teams: [] });
    for (const line of ['teams list', 'apply - --yes --prune=all', 'request GET /teams --paginate']) {
      const ended = await runCli(line.split(' '), { env, stdin });
      expect([line, ended]).toMatchObject([line, { code: 10, stdout: '' }]);
      expect(ended.stderr).toContain(said);
    }
    expect(calls.filter((call) => !call.startsWith('GET '))).toEqual([]);
  });

  it('is no list for probe', async () => {
    const stateOf = async (errors: readonly string[]) => {
      const { env } = await foreignService({ list: () => ({ body: { data: [], errors } }), quotas: full });
      return JSON.parse((await runCli(['probe', '-o', 'json'], { env })).stdout).kinds.teams.state;
    };
    expect([await stateOf(['down']), await stateOf([])]).toEqual(['unread', 'read']);
  });

  it.each<[string, unknown]>([
    ['success', { success: true, data: [] }],
    ['no errors', { data: [], errors: [], error: null }],
    ['an empty error', { data: [], error: '', errors: {} }],
    ['a status that is fine', { data: [], status: 'success' }],
    [
      'rows with errors of their own',
      { data: [{ id: 1, name: 'a', error: 'x', status: 'error' }], total: 1 },
    ],
  ])('is a list with %s', async (_name, body) => {
    const { env } = await foreignService({ list: () => ({ body }) });
    expect(await runCli(['teams', 'list', '--all'], { env })).toMatchObject({ code: 0 });
  });
});

describe('a single answer with a success status', () => {
  const team = { id: 'team_1', name: 'app' };
  const run = async (forms: ForeignForms, line: string) => {
    const { env, calls } = await foreignService({ list: () => ({ body: [] }), ...forms });
    return { ...(await runCli(line.split(' '), { env })), calls };
  };
  const get = 'teams get team_1';
  const update = 'teams update team_1 --name app';
  const create = 'teams create --name app';
  const remove = 'teams delete team_1 --yes';

  it.each<[string, unknown, [number, number, number]]>([
    ['success is false', { success: false, data: team }, [10, 10, 10]],
    ['errors beside it', { data: team, errors: [{ message: 'down' }] }, [10, 10, 10]],
    ['success is false, bare', { ...team, success: false }, [10, 10, 10]],
    ['a state and a mark of its own', { ...team, ok: false, deleted: false }, [0, 0, 0]],
    ['an error of its own', { ...team, error: 'no route to host', status: 'error' }, [0, 10, 10]],
  ])('is done, got, changed or created, as it says: %s', async (_name, body, codes) => {
    const forms = { get: () => ({ body }), create: () => ({ status: 201, body }), change: () => ({ body }) };
    const ended = [await run(forms, get), await run(forms, update), await run(forms, create)];
    expect(ended.map(({ code }) => code)).toEqual(codes);
    for (const { code, stdout } of ended) expect(stdout === '').toBe(code !== 0);
  });

  it.each<[string, ForeignAnswer, number, string]>([
    ['an error', { body: { deleted: false, error: 'still in use' } }, 10, 'still in use'],
    ['no success', { body: { success: false, message: 'still in use' } }, 10, 'still in use'],
    ['deleted is false', { body: { deleted: false } }, 10, 'deleted'],
    ['none deleted', { body: { deleted: 0 } }, 10, 'deleted'],
    ['none affected', { body: { affected: 0 } }, 10, 'affected'],
    ['a refusal as a value', { body: false }, 10, 'false'],
    ['the status of a refusal', { body: { statusCode: 409, message: 'in use' } }, 10, 'in use'],
    ['206', { status: 206, body: {} }, 10, 'returned 206'],
    ['207', { status: 207, body: { results: [{ status: 409 }] } }, 10, 'returned 207'],
    ['no success, in an envelope', { body: { data: { success: false, message: 'locked' } } }, 10, 'locked'],
    ['a failed result', { body: { result: 'failed' } }, 10, 'result'],
    ['another resource', { body: { id: 'team_2', name: 'other' } }, 10, 'another ID: team_2'],
    ['a web page', { body: '<!DOCTYPE html><p>Log in' }, 10, 'is a web page'],
    ['a confirmation', { body: { deleted: true, error: null } }, 0, ''],
    ['a count', { body: { deleted: 1, code: 0, status: 200 } }, 0, ''],
    ['null', { body: null }, 0, ''],
    ['the resource', { body: team }, 0, ''],
    ['no JSON', { body: 'OK' }, 0, ''],
    ['nothing', { status: 204 }, 0, ''],
  ])('to DELETE is read: %s', async (_name, answer, code, text) => {
    const ended = await run({ change: () => answer }, remove);
    expect(ended).toMatchObject({ code, stderr: expect.stringContaining(text) });
    expect(ended.stdout.includes('deleted')).toBe(code === 0);
  });

  it.each<[string, ForeignAnswer, number]>([
    ['206', { status: 206, body: team }, 10],
    ['207', { status: 207, body: {} }, 10],
    ['a refusal by its status', { body: { statusCode: 409, message: 'in use' } }, 10],
    ['a problem by RFC 9457', { body: { type: 'about:blank', status: 409, title: 'Conflict' } }, 10],
    ['no success, in an envelope', { body: { data: { success: false } } }, 10],
    ['an error, in an envelope', { body: { data: { ...team, error: { message: 'denied' } } } }, 10],
    ['not updated', { body: { ...team, updated: false } }, 10],
    ['202, nothing', { status: 202, body: {} }, 11],
    ['202, the team', { status: 202, body: team }, 11],
    ['202, the team as it still is', { status: 202, body: { ...team, name: 'old' } }, 11],
  ])('to PATCH is not done: %s', async (_name, answer, code) => {
    expect(await run({ change: () => answer }, update)).toMatchObject({ code, stdout: '' });
  });

  it.each([
    ['a failure', { body: { success: false } }],
    ['207', { status: 207, body: {} }],
    ['another value', { body: { ...team, name: 'other' } }],
  ])(
    'of a change whose status and body contradict each other does not count as done: %s',
    async (_name, answer) => {
      const { stderr } = await run({ change: () => answer }, update);
      expect(stderr).toContain('it may or may not have been carried out; check before you repeat it: orgctl');
      expect(stderr).not.toContain('the status says');
    },
  );

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

  it('202 to DELETE is done only when the resource is gone', async () => {
    const change = () => ({ status: 202, body: {} });
    const there = await run({ change, get: () => ({ body: team }) }, remove);
    expect(there).toMatchObject({ code: 11, stdout: '', stderr: expect.stringContaining('accepted (202)') });
    const gone = await run({ change }, remove);
    expect(gone).toMatchObject({ code: 0, calls: ['DELETE /teams/team_1', 'GET /teams/team_1'] });
    expect((await run({ change, get: () => ({ status: 405 }) }, remove)).code).toBe(11);
  });

  it.each([{ ...team, deleted: false }, { ...team, deleted: 0 }, { data: { ...team, deleted: false } }])(
    'a record marked as not deleted, to DELETE, is done only when it is gone: %j',
    async (body) => {
      const change = () => ({ body });
      const there = await run({ change, get: () => ({ body }) }, remove);
      expect(there).toMatchObject({ code: 10, stdout: '', stderr: expect.stringContaining('not deleted') });
      expect((await run({ change }, remove)).code).toBe(0);
    },
  );

  it.each<[string, string, object, boolean]>([
    ['another number', '1', { id: 2, name: 'other' }, false],
    ['another ID', 'team_1', { id: 'team_2', name: 'other' }, false],
    ['the same number as text', '1', { id: '1' }, true],
    ['its ID in another case', 'team_a1', { id: 'team_A1' }, true],
    ['no ID', 'team_1', { ok: true }, true],
    ['an alias', 'core', { id: 7, slug: 'core' }, true],
  ])('to PATCH is of the asked resource: %s', async (_name, id, body, isOwn) => {
    const ended = await run({ change: () => ({ body }) }, `teams update ${id} --name other`);
    expect(ended.code).toBe(isOwn ? 0 : 10);
    if (isOwn) return;
    expect(ended).toMatchObject({ stdout: '', stderr: expect.stringContaining('has another ID') });
    expect((await run({ get: () => ({ body }) }, `teams get ${id}`)).code).toBe(10);
  });

  it('to a PATCH without a body is the change, also if it cannot be read back', async () => {
    const ended = await run({ change: () => ({ status: 204 }) }, `${update} --query id -r`);
    expect(ended).toMatchObject({ code: 0, stdout: 'team_1\n' });
  });

  const off = { id: 'key_9', name: 'leaked', enabled: false };
  const on = { ...off, enabled: true };

  it.each<[string, unknown, unknown, number, string]>([
    ['the answer says so', off, undefined, 0, ''],
    ['a look at the key says so', {}, off, 0, ''],
    ['the answer leaves it enabled', on, on, 10, 'enabled: true'],
    ['a look at the key shows it enabled', { id: 'key_9' }, on, 10, 'still enabled'],
    ['nothing says so', {}, { id: 'key_9', status: 'active' }, 10, 'does not say that it is'],
  ])('tells whether a key is disabled: %s', async (_name, body, seen, code, text) => {
    const get = () => (seen === undefined ? { status: 500 } : { body: seen });
    const ended = await run({ change: () => ({ body }), get }, 'api-keys disable key_9 --yes');
    expect(ended).toMatchObject({ code, stderr: expect.stringContaining(text) });
  });

  it.each<[string, ForeignAnswer, string]>([
    ['2xx that is not understood', { status: 201, body: { ok: true } }, 'outcome unknown'],
    ['2xx that is no JSON', { status: 200, body: 'created' }, 'outcome unknown'],
    ['2xx that reports a failure', { status: 200, body: { success: false } }, 'outcome unknown'],
    ['a refusal', { status: 409, body: { error: 'taken' } }, 'failed'],
    ['a failure of the service', { status: 500, body: { error: 'down' } }, 'failed'],
  ])('gives a row of bulk work the outcome that is known: %s', async (_name, answer, result) => {
    const { env } = await foreignService({ create: () => answer, quotas: full });
    const stdin = JSON.stringify([{ name: 'a' }]);
    const ended = await runCli(['teams', 'create', '--file', '-', '-o', 'json'], { env, stdin });
    expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([12, [{ name: 'a', result }]]);
  });
});

describe('a filter of API keys', () => {
  const readable = [
    { id: 'key_1', enabled: false, last_used_at: '2020-01-01T00:00:00Z' },
    { id: 'key_2', enabled: true, last_used_at: '2099-01-01T00:00:00Z' },
  ];

  it.each([
    undefined,
    { id: 'key_3', status: 'disabled' },
    { id: 'key_3', disabled: true },
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

  it.each([
    { teams: { max: 10, current: 10 } },
    { teams: { limit: 10 } },
    { teams: { limit: 'many', used: 1 } },
    { teams: 10, connections: 10 },
    {},
  ])('are an error if nothing else is there: %j', async (record) => {
    for (const more of ['', ' --fail-over 90', ' --fail-over 90 -q', ' --kind teams']) {
      const ended = await read({ data: [record] }, `quotas${more}`);
      const stderr = expect.not.stringContaining('reports no quotas');
      expect([more, ended]).toMatchObject([more, { code: 10, stdout: '', stderr }]);
    }
    const json = await read({ data: [record] }, 'quotas -o json');
    expect([json.code, JSON.parse(json.stdout)]).toEqual([10, record]);
  });

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

  it('are a row of --all-profiles', async () => {
    const { origin } = await foreignService({ quotas: { body: { teams: 10, connections } } });
    const main = { baseUrl: origin, keyId: 'key_test', secret: 's'.repeat(64) };
    const env = withProfileFile({ version: 1, current: 'main', profiles: { main } });
    const { code, stdout } = await runCli(['quotas', '--all-profiles'], { env });
    expect([code, stdout]).toEqual([12, expect.stringContaining('quota of teams cannot be read')]);
    expect(stdout).toMatch(/main +connections +10/);
  });

  it('are not taken from a failed answer', async () => {
    const stderr = expect.stringContaining('backend down');
    const failed = await read({ error: 'backend down', connections }, 'quotas');
    expect(failed).toMatchObject({ code: 10, stdout: '', stderr });
  });
});

describe('a change that the service ignores', () => {
  const config = { host: 'old', port: 5432, database: 'd', user: 'u', ssl: true };
  const all = {
    teams: { id: 'team_1', name: 'old' },
    'api-keys': { id: 'key_9', name: 'old' },
    connections: { id: 'conn_1', name: 'old', type: 'pg', config },
  };
  const yaml = 'version: 1\nconnections:\n- { id: conn_1, name: old, config: { host: new } }\n';

  it.each<[keyof typeof all, readonly string[], string]>([
    ['teams', ['teams', 'update', 'team_1', '--name', 'new'], 'name: "old", although "new" was sent'],
    ['api-keys', ['api-keys', 'update', 'key_9', '--name', 'new'], 'name: "old", although "new" was sent'],
    [
      'connections',
      ['connections', 'update', 'conn_1', '--host', 'new'],
      'config.host: "old", although "new"',
    ],
    ['connections', ['connections', 'update', 'conn_1', '--port', '1'], 'config.port: 5432, although 1 was'],
  ])('is not done, by its response or a look: %s, %j', async (kind, args, text) => {
    for (const body of [all[kind], {}, { ok: true }]) {
      const { env } = await foreignService({ change: () => ({ body }), get: () => ({ body: all[kind] }) });
      const ended = await runCli([...args], { env });
      expect(ended).toMatchObject({ code: 10, stdout: '', stderr: expect.stringContaining(text) });
    }
  });

  it('is not done by apply', async () => {
    const body = all.connections;
    const kinds = ['connections'];
    const { env } = await foreignService({ kinds, list: () => ({ body: [body] }), change: () => ({ body }) });
    const ended = await runCli(['apply', '-', '--yes', '-o', 'json'], { env, stdin: yaml });
    expect(ended).toMatchObject({ code: 12, stdout: expect.stringContaining('config.host: \\"old\\"') });
  });

  it.each<[string, unknown, string]>([
    ['no other word', { id: 'team_1' }, ''],
    ['another spelling of a number', { ...all.connections, config: { ...config, port: '1' } }, 'port'],
    ['another spelling of a type', { ...all.connections, type: 'postgresql' }, 'type'],
    ['a field that is hidden', { ...all.connections, config: { host: '***' } }, 'password'],
  ])('may be done with %s', async (_name, body, field) => {
    const { env } = await foreignService({ change: () => ({ body }) });
    const changes: Record<string, readonly string[]> = {
      port: ['--port', '1'],
      type: ['--type', 'pg'],
      password: ['--password-env', 'PW'],
    };
    const args = changes[field];
    const words = args === undefined ? ['teams', 'update', 'team_1', '--name', 'new'] : undefined;
    const line = words ?? ['connections', 'update', 'conn_1', ...(args ?? [])];
    expect(await runCli(line, { env: { ...env, PW: 'secret' } })).toMatchObject({ code: 0 });
  });
});

describe('a refusal', () => {
  const hints: readonly (readonly [number, RegExp])[] = [
    [400, /^$/],
    [401, /which credential is used: orgctl whoami/],
    [403, /may lack a role .*: orgctl whoami/],
    [409, /whether the name is taken: orgctl (teams|connections|api-keys) list --all/],
    [422, /^$/],
  ];
  const verbs = [
    ['teams', 'create', '--name', 'a'],
    ['teams', 'update', 'team_1', '--name', 'a'],
    ['teams', 'delete', 'team_1', '--yes'],
    ['connections', 'update', 'conn_1', '--name', 'a'],
    ['api-keys', 'create', '--name', 'a'],
    ['api-keys', 'update', 'key_9', '--name', 'a'],
    ['api-keys', 'disable', 'key_9', '--yes'],
    ['request', 'POST', '/teams', '-f', 'name=a'],
  ];

  it.each(hints)('%i has the same hint after every verb', async (status, hint) => {
    const answer = { status, body: { message: 'no' } };
    const { env } = await foreignService({
      list: () => ({ body: [] }),
      create: () => answer,
      change: () => answer,
    });
    for (const args of verbs) {
      const ended = await runCli(args, { env });
      expect([args, ended.stderr.split('\n')[1]]).toEqual([args, expect.stringMatching(hint)]);
    }
  });
});
