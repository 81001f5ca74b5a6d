import { describe, expect, it } from 'vitest';
import { httpAnswer } from '../support/hostile-peer.js';
import { errorOf, runCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { connection, connectionExists, createConnections } from './support/connection-entries.js';
import { scriptedService } from './support/scripted-service.js';

const service = useService({ quotas: { connections: 50 } });

describe('get', () => {
  it('shows one with a line a field, each of them, unless columns are named', async () => {
    const env = service.environment();
    const [id = ''] = await createConnections(env, 'one');
    const { stdout } = await runCli(['connections', 'get', id], { env });
    expect(stdout).toContain(`ID        ${id}\nNAME      one\n`);
    expect(stdout).toMatch(/^UPDATED {3}\d{4}-/m);
    const named = await runCli(['connections', 'get', id, '--columns', 'id,name'], { env });
    expect(named.stdout).toContain(`ID${' '.repeat(id.length)}NAME\n`);
  });

  it('has no column for the other ID of a key unless the service sends one', async () => {
    const { env: numbered } = await scriptedService({
      'GET /api-keys/key_5': () => httpAnswer(200, { id: 'key_5', key_id: 'key_a', name: 'a' }),
    });
    const { server } = service;
    for (const [id, env, has] of [
      [server.keyId, service.environment(), false],
      ['key_5', numbered, true],
    ] as const) {
      const shown = [
        (await runCli(['api-keys', 'get', id], { env })).stdout.includes('\nKEY ID '),
        (await runCli(['api-keys', 'get', id, '-o', 'csv'], { env })).stdout.includes('key_id'),
        (await runCli(['api-keys', 'get', id, '-o', 'wide'], { env })).stdout.includes('\nKEY ID '),
      ];
      expect(shown).toEqual([has, has, has]);
    }
    const list = await runCli(['api-keys', 'list', '-o', 'wide'], { env: service.environment() });
    expect(list.stdout).not.toContain('KEY ID');
  });

  it('shows those that are there in the order of their IDs and each once, and says which are not', async () => {
    const env = service.environment();
    const [one = '', two = ''] = await createConnections(env, 'one', 'two');
    const twice = await runCli(['connections', 'get', two, one, two, '-o', 'json'], { env });
    expect(JSON.parse(twice.stdout)).toMatchObject([{ id: two }, { id: one }]);
    const ended = await runCli(['connections', 'get', one, 'conn_nothing', two, '-o', 'json'], { env });
    expect(ended.code).toBe(12);
    expect(JSON.parse(ended.stdout)).toMatchObject([{ id: one }, { id: two }]);
    expect(errorOf(ended)).toMatchObject({
      code: 'partial',
      message:
        '1 of 3 connections not found or not readable\nconn_nothing: connection "conn_nothing" not found',
    });
    const listed = await runCli(['connections', 'ls', '--all', '-o', 'json', '--query', '[].id'], { env });
    expect(JSON.parse(listed.stdout)).toEqual(expect.arrayContaining([one, two]));
  });
});

describe('update', () => {
  it('changes what is named and leaves the rest', async () => {
    const env = service.environment();
    const [id = ''] = await createConnections(env, 'one');
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
      'PATCH /connections/conn_a': () => httpAnswer(200, { id: 'conn_a' }),
    });
    const args = ['connections', 'update', 'conn_a', '--user', 'me', '--password-stdin', '-v'];
    const ended = await runCli(args, { env, stdin: 'hunter2\n' });
    expect(ended.code).toBe(0);
    expect(JSON.parse(String(peer.requests.find(({ method }) => method === 'PATCH')?.body))).toEqual({
      config: { user: 'me', password: 'hunter2' },
    });
    expect(ended.stderr).not.toContain('hunter2');
  });

  it('gives a row for each of several', async () => {
    const env = service.environment();
    const [one = '', two = ''] = await createConnections(env, 'one', 'two');
    const args = ['connections', 'update', one, 'conn_nothing', two, '--host', 'db3', '-o', 'json'];
    const ended = await runCli(args, { env });
    expect(ended.code).toBe(12);
    const error = 'connection "conn_nothing" not found';
    expect(JSON.parse(ended.stdout)).toMatchObject([
      { id: one, result: 'updated', connection: { name: 'one', config: { host: 'db3' } } },
      { id: 'conn_nothing', result: 'failed', code: 'not_found', error },
      { id: two, result: 'updated', connection: { name: 'two' } },
    ]);
  });

  it.each([
    [[], 'nothing to change'],
    [['--port', 'x'], '--port x: not a port'],
    [['--host', 'h', '--password-env', 'UNSET'], 'the variable is not set'],
    [['conn_b', '--name', 'x', '--host', 'h'], '--name gives 2 connections the same name'],
  ])('refuses %j', async (args, message) => {
    const { env, peer } = await scriptedService({});
    const ended = await runCli(['connections', 'update', 'conn_a', ...args], { env });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(peer.connections).toBe(0);
  });
});

describe('delete', () => {
  it('deletes one with --yes, which it needs where there is no terminal', async () => {
    const env = service.environment();
    const [id = ''] = await createConnections(env, 'one');
    const refused = await runCli(['connections', 'delete', id], { env, stdin: 'y\r' });
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('pass --yes') });
    expect(await connectionExists(id, env)).toBe(true);
    const ended = await runCli(['connections', 'delete', id, '--yes', '-o', 'json'], { env });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toEqual({ id, result: 'deleted' });
    expect(await runCli(['connections', 'delete', id, '--yes'], { env })).toMatchObject({ code: 6 });
  });

  it.each([
    ['y\r', 0, false],
    ['n\r', 130, true],
  ])('asks on a terminal: %j', async (keys, code, stays) => {
    const env = service.environment();
    const [id = ''] = await createConnections(env, 'one');
    const ended = await runCli(['connections', 'delete', id], { env, isTTY: true, stdin: keys });
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(
      `Delete connection "one" (db.example.com, ${id}) on ${service.server.url}?`,
    );
    expect(ended.stderr.includes('nothing was deleted')).toBe(stays);
    expect(await connectionExists(id, env)).toBe(stays);
  });

  it('asks once for several, with every name and ID', async () => {
    const env = service.environment();
    const ids = await createConnections(env, 'one', 'n'.repeat(200));
    const [one, two] = ids;
    const args = ['connections', 'delete', ...ids, 'conn_nothing'];
    const ended = await runCli(args, { env, isTTY: true, stdin: 'n\r' });
    expect(ended.code).toBe(130);
    const long = `"${'n'.repeat(200)}" (db.example.com, ${two})`;
    expect(ended.stderr).toContain(
      `Delete 3 connections on ${service.server.url}: "one" (db.example.com, ${one}), ${long}, conn_nothing?`,
    );
    expect(ended.stderr).toContain('nothing was deleted');
  });
});
