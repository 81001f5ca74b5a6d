import { describe, expect, it } from 'vitest';
import { httpAnswer } from '../support/hostile-peer.js';
import { errorOf, runCli, startCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { connection, fileOf } from './support/connection-entries.js';
import { type Answer, pageAnswer, pageOf, scriptedService } from './support/scripted-service.js';

const service = useService({ quotas: { connections: 50 } });

type Env = Record<string, string | undefined>;

/** Creates connections of these names and returns their IDs. */
async function idsOf(env: Env, ...names: readonly string[]): Promise<string[]> {
  const file = fileOf(names.map((name) => connection(name)));
  const { stdout } = await runCli(
    ['connections', 'create', '--file', file, '-o', 'json', '--query', '[].id'],
    { env },
  );
  return JSON.parse(stdout);
}

async function exists(id: string, env: Env): Promise<boolean> {
  return (await runCli(['connections', 'get', id], { env })).code === 0;
}

describe('an ID that is cut', () => {
  it('stands for the only resource whose ID begins so, of 6 characters on', async () => {
    const env = service.environment();
    const [id = '', other = ''] = await idsOf(env, 'one', 'two');
    const short = id.slice(0, 'conn_'.length + 10);
    const shown = await runCli(['connections', 'get', short, '-o', 'json'], { env });
    expect(JSON.parse(shown.stdout)).toMatchObject({ id });
    expect((await runCli(['connections', 'get', id.slice(0, 10)], { env })).code).toBe(6);
    expect((await runCli(['connections', 'update', short, '--name', 'new'], { env })).code).toBe(0);
    expect(await exists(other, env)).toBe(true);
  });

  it('is deleted after a question that has the whole ID, and never by --yes', async () => {
    const env = service.environment();
    const [id = ''] = await idsOf(env, 'three');
    const short = id.slice(0, 'conn_'.length + 10);
    const refused = await runCli(['connections', 'rm', short, '--yes', '-o', 'json'], { env });
    expect(refused.code).toBe(2);
    expect(errorOf(refused)['hint']).toContain(id);
    expect(await exists(id, env)).toBe(true);
    const asked = startCli(['connections', 'rm', short], { env, isTTY: true, stdin: 'y\r' });
    expect(await asked.ended).toMatchObject({ code: 0, stderr: expect.stringContaining(id) });
    expect(await exists(id, env)).toBe(false);
  });

  it('does nothing when several begin so, and goes out as it is when there is one', async () => {
    const twins = ['conn_abcdef01', 'conn_abcdef02'].map((id) => ({ id, name: id, type: 'pg', config: {} }));
    const one = twins.at(0);
    const { env } = await scriptedService({
      'GET /connections': () => httpAnswer(200, twins),
      'GET /connections/conn_abcdef01': () => httpAnswer(200, one ?? {}),
    });
    const several = await runCli(['connections', 'rm', 'conn_abcdef', '--yes', '-o', 'json'], { env });
    expect(several.code).toBe(2);
    expect(errorOf(several)['message']).toContain('conn_abcdef01, conn_abcdef02');
    const whole = await runCli(['connections', 'get', 'conn_abcdef01', '-o', 'json'], { env });
    expect(JSON.parse(whole.stdout)).toMatchObject({ id: 'conn_abcdef01' });
  });
});

describe('a name that is near', () => {
  it('is suggested, except for what cannot be undone', async () => {
    const env = service.environment();
    await idsOf(env, 'Warehouse');
    const hintOf = async (verb: string, ...more: string[]) =>
      errorOf(await runCli(['connections', verb, 'warehuse', ...more, '-o', 'json'], { env }))['hint'];
    expect(await hintOf('get')).toBe('did you mean "Warehouse"? all: orgctl connections list --all');
    expect(await hintOf('update', '--name', 'x')).toContain('did you mean "Warehouse"?');
    expect(await hintOf('delete', '--yes')).not.toContain('Warehouse');
  });
});

describe('habits of other tools', () => {
  it('lists as ls', async () => {
    const env = service.environment();
    const ended = await runCli(['connections', 'ls', '-o=json'], { env });
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout)).toBeInstanceOf(Array);
  });
});

describe('get', () => {
  it('shows one with a line a field, each of them, unless columns are named', async () => {
    const env = service.environment();
    const [id = ''] = await idsOf(env, 'one');
    const { stdout } = await runCli(['connections', 'get', id], { env });
    expect(stdout).toContain(`ID          ${id}\nNAME        one\n`);
    expect(stdout).toMatch(/^UPDATED AT {2}\d{4}-/m);
    const named = await runCli(['connections', 'get', id, '--columns', 'id,name'], { env });
    expect(named.stdout).toContain(`ID${' '.repeat(id.length)}NAME\n`);
  });

  it('shows several as a list, in the order of their IDs and each once', async () => {
    const env = service.environment();
    const [one = '', two = ''] = await idsOf(env, 'one', 'two');
    const ended = await runCli(['connections', 'get', two, one, two, '-o', 'json'], { env });
    expect(JSON.parse(ended.stdout)).toMatchObject([{ id: two }, { id: one }]);
    const twice = await runCli(['connections', 'get', one, one, '-o', 'json'], { env });
    expect(JSON.parse(twice.stdout)).toMatchObject([{ id: one }]);
  });

  it('shows those that are there, and says which are not', async () => {
    const env = service.environment();
    const [one = '', two = ''] = await idsOf(env, 'one', 'two');
    const ended = await runCli(['connections', 'get', one, 'conn_nothing', two, '-o', 'json'], { env });
    expect(ended.code).toBe(12);
    expect(JSON.parse(ended.stdout)).toMatchObject([{ id: one }, { id: two }]);
    expect(errorOf(ended)).toMatchObject({
      code: 'partial',
      message:
        '1 of 3 connections not found or not readable\nconn_nothing: connection "conn_nothing" not found',
    });
  });
});

describe('update', () => {
  it('changes what is named and leaves the rest', async () => {
    const env = service.environment();
    const [id = ''] = await idsOf(env, 'one');
    const args = ['--name', 'new', '--host', 'db2', '--port', '6432', '--no-ssl'];
    const ended = await runCli(['connections', 'update', id, ...args, '-o', 'json'], { env });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const { password: _, ...config } = connection('').config;
    expect(JSON.parse(ended.stdout)).toMatchObject({
      id,
      name: 'new',
      config: { ...config, host: 'db2', port: 6432, ssl: false },
    });
  });

  it('sends the fields that were given, a password among them', async () => {
    const { env, peer } = await scriptedService({
      'PATCH /connections/conn_a': () => httpAnswer(200, { id: 'a' }),
    });
    const args = ['connections', 'update', 'conn_a', '--user', 'me', '--password-stdin', '-v'];
    const ended = await runCli(args, { env, stdin: 'hunter2\n' });
    expect(ended.code).toBe(0);
    expect(JSON.parse(String(peer.requests[0]?.body))).toEqual({
      config: { user: 'me', password: 'hunter2' },
    });
    expect(ended.stderr).not.toContain('hunter2');
  });

  it('gives a row for each of several', async () => {
    const env = service.environment();
    const [one = '', two = ''] = await idsOf(env, 'one', 'two');
    const ended = await runCli(
      ['connections', 'update', one, 'conn_nothing', two, '--host', 'db3', '-o', 'json'],
      { env },
    );
    expect(ended.code).toBe(12);
    expect(JSON.parse(ended.stdout)).toMatchObject([
      { id: one, result: 'updated', connection: { name: 'one', config: { host: 'db3' } } },
      {
        id: 'conn_nothing',
        result: 'failed',
        code: 'not_found',
        error: 'connection "conn_nothing" not found',
      },
      { id: two, result: 'updated', connection: { name: 'two' } },
    ]);
  });

  it.each([
    [[], 'nothing to change'],
    [['--port', 'x'], '--port x: not a port'],
    [['--host', 'h', '--password-env', 'UNSET'], 'the variable is not set'],
  ])('refuses %j', async (args, message) => {
    const { env, peer } = await scriptedService({});
    const ended = await runCli(['connections', 'update', 'conn_a', ...args], { env });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(peer.connections).toBe(0);
  });
});

describe('delete', () => {
  it('deletes one', async () => {
    const env = service.environment();
    const [id = ''] = await idsOf(env, 'one');
    const ended = await runCli(['connections', 'delete', id, '--yes', '-o', 'json'], { env });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toEqual({ id, result: 'deleted' });
    expect(await runCli(['connections', 'delete', id, '--yes'], { env })).toMatchObject({ code: 6 });
  });

  it('needs --yes where there is no terminal', async () => {
    const env = service.environment();
    const [id = ''] = await idsOf(env, 'one');
    const ended = await runCli(['connections', 'delete', id], { env, stdin: 'y\r' });
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('pass --yes') });
    expect(await exists(id, env)).toBe(true);
  });

  it.each([
    ['y\r', 0, false],
    ['n\r', 130, true],
    ['\r', 130, true],
    ['\u0003', 130, true],
  ])('asks on a terminal: %j', async (keys, code, stays) => {
    const env = service.environment();
    const [id = ''] = await idsOf(env, 'one');
    const ended = await runCli(['connections', 'delete', id], { env, isTTY: true, stdin: keys });
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(
      `Delete connection one (db.example.com), ${id}, on ${service.server.url}?`,
    );
    expect(ended.stderr.includes('nothing was deleted')).toBe(stays && keys !== '\u0003');
    expect(await exists(id, env)).toBe(stays);
  });

  it('asks once for several', async () => {
    const env = service.environment();
    const ids = await idsOf(env, 'one', 'two');
    const [one, two] = ids;
    const args = ['connections', 'delete', ...ids, 'conn_nothing'];
    const ended = await runCli(args, { env, isTTY: true, stdin: 'n\r' });
    expect(ended.code).toBe(130);
    expect(ended.stderr).toContain(
      `Delete 3 connections: one (db.example.com), ${one}; two (db.example.com), ${two}; conn_nothing (not found), on ${service.server.url}?`,
    );
    expect(ended.stderr).toContain('nothing was deleted');
  });

  it('asks nothing that would be in vain', async () => {
    const ended = await runCli(['connections', 'delete', 'conn_1'], { isTTY: true, stdin: 'y\r' });
    expect(ended.code).toBe(3);
    expect(ended.stderr).not.toContain('Delete');
  });
});

describe('names', () => {
  it('of several are refused with their IDs', async () => {
    const env = service.environment();
    const [first = ''] = await idsOf(env, 'twice');
    const renamed = await idsOf(env, 'once');
    await runCli(['connections', 'update', ...renamed, '--name', 'twice'], { env });
    const ended = await runCli(['connections', 'delete', 'twice', '--yes'], { env });
    expect(ended.code).toBe(2);
    for (const id of [first, ...renamed]) expect(ended.stderr).toContain(id);
    expect(await exists(first, env)).toBe(true);
    await runCli(['connections', 'delete', first, ...renamed, '--yes'], { env });
  });

  it('are looked for on all pages, and tried as an ID where nothing has them', async () => {
    const { env, peer } = await scriptedService({
      'GET /connections': (request) => {
        const page = pageOf(request);
        const name = page === 1 ? 'a' : 'b';
        return pageAnswer([{ id: `id-of-${name}`, name }], { total: 2, page, pages: 2 });
      },
      'GET /connections/id-of-b': () => httpAnswer(200, { id: 'id-of-b' }),
      'GET /connections/opaque': () => httpAnswer(200, { id: 'opaque' }),
    });
    for (const [text, id] of [
      ['b', 'id-of-b'],
      ['opaque', 'opaque'],
    ]) {
      const ended = await runCli(['connections', 'get', String(text), '-o', 'json'], { env });
      expect(JSON.parse(ended.stdout)).toEqual({ id });
    }
    expect(peer.requests).toHaveLength(6);
  });

  it('are looked for until the deadline', async () => {
    const { env } = await scriptedService({ 'GET /connections': () => undefined });
    const ended = await runCli(['connections', 'get', 'x', '--deadline', '200ms'], { env });
    expect(ended.code).toBe(9);
  });

  it.each([
    ['conn_x', 'connection "conn_x" not found'],
    ['nobody', 'connection "nobody" not found'],
    ['"conn_x"', 'connection "conn_x" not found'],
    ["'conn_x'", 'connection "conn_x" not found'],
  ])('that stand for nothing are said, with how to list: %s', async (text, message) => {
    const ended = await runCli(['connections', 'get', text, '-o', 'json'], { env: service.environment() });
    expect(ended.code).toBe(6);
    expect(errorOf(ended)).toMatchObject({
      code: 'not_found',
      message,
      hint: expect.stringContaining('orgctl connections list'),
    });
  });

  it('of the key that signs are known as its own', async () => {
    const env = service.environment();
    const mine = await runCli(['api-keys', 'update', service.server.keyId, '--name', 'mine'], { env });
    expect(mine.code).toBe(0);
    for (const verb of ['delete', 'disable']) {
      const ended = await runCli(['api-keys', verb, 'mine', '--yes'], { env });
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('lock yourself out') });
    }
  });
});

describe('IDs', () => {
  const verbs = [
    ['get', []],
    ['update', ['--name', 'x']],
    ['delete', ['--yes']],
  ] as const;

  it.each(verbs)('%s refuses what would lead to another path', async (verb, args) => {
    const { env, peer } = await scriptedService({});
    for (const id of ['', '.', '..', '\ud800']) {
      for (const ids of [[id], ['conn_1', id]]) {
        const ended = await runCli(['connections', verb, ...ids, ...args], { env });
        expect(ended).toMatchObject({
          code: 2,
          stdout: '',
          stderr: expect.stringContaining('cannot be an ID'),
        });
      }
    }
    expect(await runCli(['connections', verb, ...args], { env })).toMatchObject({ code: 2 });
    expect(peer.connections).toBe(0);
  });

  it('disable refuses it too', async () => {
    const { env, peer } = await scriptedService({});
    expect(await runCli(['api-keys', 'disable', '..'], { env })).toMatchObject({ code: 2 });
    expect(peer.connections).toBe(0);
  });

  it.each(verbs)('%s percent-encodes any other text', async (verb, args) => {
    const answer: Answer = () => httpAnswer(200, { id: 'x' });
    const { env, peer } = await scriptedService({
      'GET /connections/conn_a%2Fb%3Fc%23d%20%C3%A9%25': answer,
      'PATCH /connections/conn_a%2Fb%3Fc%23d%20%C3%A9%25': answer,
      'DELETE /connections/conn_a%2Fb%3Fc%23d%20%C3%A9%25': () => 'HTTP/1.1 204 No Content\r\n\r\n',
    });
    const ended = await runCli(['connections', verb, 'conn_a/b?c#d é%', ...args], { env });
    expect(ended).toMatchObject({ code: 0 });
    expect(peer.requests).toHaveLength(1);
  });
});
