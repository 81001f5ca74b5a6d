import { describe, expect, it } from 'vitest';
import { z } from '../../src/api/schema/schema.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { emptyEnvironment, errorOf, runCli, startCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { connection } from './support/connection-entries.js';
import { createdAnswer, quotaAnswer, scriptedService } from './support/scripted-service.js';

const service = useService({ quotas: { connections: 5 } });

const flags = ['--name', 'app', '--host', 'db', '--database', 'app', '--user', 'me'] as const;
const fromFlags = { host: 'db', port: 5432, database: 'app', user: 'me', password: 'hunter2', ssl: true };

function creating() {
  return scriptedService({ 'GET /quotas': () => quotaAnswer(10), 'POST /connections': createdAnswer });
}

describe('connections create', () => {
  it('creates what the flags describe, and prints it as the service returned it', async () => {
    const env = service.environment({ DB_PASSWORD: 'hunter2\n' });
    const ended = await runCli(
      ['connections', 'create', ...flags, '--password-env', 'DB_PASSWORD', '-o', 'json'],
      { env },
    );
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const { password: _, ...config } = fromFlags;
    expect(JSON.parse(ended.stdout)).toMatchObject({
      id: expect.stringMatching(/^conn_/),
      name: 'app',
      type: 'postgresql',
      config,
    });
    expect(ended.stdout).not.toContain('hunter2');
  });

  it.each([
    ['defaults of PostgreSQL', [...flags], fromFlags],
    [
      'every flag',
      [...flags, '--type', 'pg', '--port', '6432', '--no-ssl'],
      { ...fromFlags, port: 6432, ssl: false },
    ],
    [
      'a URL',
      ['--name', 'app', '--url', 'postgres://me@db:6432/app?sslmode=disable'],
      { ...fromFlags, port: 6432, ssl: false },
    ],
    [
      'a URL and flags for what it leaves out',
      ['--name', 'app', '--url', 'postgresql://db/app', '--user', 'me', '--no-ssl'],
      { ...fromFlags, ssl: false },
    ],
  ])('sends %s', async (_what, args, config) => {
    const { peer, env, posted } = await creating();
    const ended = await runCli(['connections', 'create', ...args, '--password-stdin'], {
      env,
      stdin: 'hunter2\n',
    });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const type = args.includes('pg') ? 'pg' : 'postgresql';
    expect(posted()).toEqual([{ name: 'app', type, config }]);
    expect(peer.requests).toHaveLength(1);
  });

  it('sends of another type just what was given, and asks for no password', async () => {
    const { env, posted } = await creating();
    const args = ['--name', 'app', '--type', 'mysql', '--host', 'db', '--port', '3306'];
    expect(await runCli(['connections', 'create', ...args], { env })).toMatchObject({ code: 0 });
    expect(posted()).toEqual([{ name: 'app', type: 'mysql', config: { host: 'db', port: 3306 } }]);
  });

  it('takes URL and password from stdin', async () => {
    const { env, posted } = await creating();
    const ended = await runCli(['connections', 'create', '--name', 'app', '--url-stdin', '-v'], {
      env,
      stdin: 'postgres://me:hun%2Fter2@db/app\n',
    });
    expect(ended.code).toBe(0);
    expect(posted()).toEqual([
      { name: 'app', type: 'postgresql', config: { ...fromFlags, password: 'hun/ter2' } },
    ]);
    expect(ended.stderr).not.toMatch(/hun(%2F|\/)ter2/);
  });

  it('asks for the password on a terminal, without showing it', async () => {
    const { env, posted } = await creating();
    const { ended, system } = startCli(['connections', 'create', ...flags], {
      env,
      isTTY: true,
      stdin: 'hunter2\r',
    });
    expect((await ended).code).toBe(0);
    expect(posted()).toEqual([{ name: 'app', type: 'postgresql', config: fromFlags }]);
    expect(system.stderrText()).toContain('Password');
    expect(system.stderrText() + system.stdoutText()).not.toContain('hunter2');
  });

  describe('connections create --skip-existing', () => {
    it('prints the connection that has the name already, and creates none', async () => {
      const { env, peer } = await scriptedService({
        'GET /connections': () =>
          httpAnswer(
            200,
            [
              { id: 'conn_6', name: 'other' },
              { id: 'conn_7', name: 'app' },
              { id: 'conn_8', name: 'app' },
            ],
            { 'X-Total-Count': '3' },
          ),
      });
      const ended = await runCli(
        ['connections', 'create', ...flags, '--password-stdin', '--skip-existing', '-o', 'json'],
        { env, stdin: 'x' },
      );
      expect(ended).toMatchObject({ code: 0, stderr: '{"note":"connection \\"app\\" already exists"}\n' });
      expect(JSON.parse(ended.stdout)).toEqual({ id: 'conn_7', name: 'app' });
      expect(peer.requests.map(({ method }) => method)).toEqual(['GET']);
    });
  });

  describe('connections create --dry-run', () => {
    it('prints the request with the password masked; it needs no service, no profile and no password', async () => {
      const ended = await runCli(['connections', 'create', ...flags, '--dry-run', '-o', 'json']);
      expect(ended).toMatchObject({
        code: 0,
        stderr:
          '{"note":"a dry run: nothing was created; the quota was not read, because no service is set up"}\n',
      });
      expect(JSON.parse(ended.stdout)).toEqual({
        method: 'POST',
        target: '/connections',
        body: { name: 'app', type: 'postgresql', config: { ...fromFlags, password: '********' } },
      });
    });

    it('masks what is not known to be harmless, whatever its name', async () => {
      const config = { host: 'db', uri: 'hunter2', keys: ['hunter2'], auth: { user: 'hunter2' } };
      const ended = await runCli(['connections', 'create', '--file', '-', '--dry-run', '-o', 'json'], {
        stdin: JSON.stringify([{ name: 'app', type: 'mongodb', config }]),
      });
      const hidden = { uri: '********', keys: '********', auth: '********' };
      expect(JSON.parse(ended.stdout)).toMatchObject([{ body: { config: { host: 'db', ...hidden } } }]);
      expect(ended.stdout + ended.stderr).not.toContain('hunter2');
    });

    it('masks the password of a URL, and sends nothing', async () => {
      const { env, posted } = await creating();
      const ended = await runCli(['connections', 'create', '--name', 'app', '--url-stdin', '--dry-run'], {
        env,
        stdin: 'postgres://me:hunter2@db/app',
      });
      expect(ended.code).toBe(0);
      expect(ended.stdout).toContain('"password":"********"');
      expect(ended.stdout + ended.stderr).not.toContain('hunter2');
      expect(posted()).toEqual([]);
    });
  });

  describe('connections create --dry-run reads the quota', () => {
    it.each([
      [[...flags], ''],
      [['--file', '-'], JSON.stringify(connection('app'))],
    ])('%j', async (args, stdin) => {
      let left = 1;
      const { env, posted } = await scriptedService({ 'GET /quotas': () => quotaAnswer(left, 9) });
      const rehearse = () => runCli(['connections', 'create', ...args, '--dry-run'], { env, stdin });
      expect(await rehearse()).toMatchObject({
        code: 0,
        stderr: 'a dry run: nothing was created; the quota has room for 1 of 1 (9 of 10 used)\n',
      });
      left = 0;
      expect(await rehearse()).toMatchObject({ code: 7, stdout: '' });
      expect(posted()).toEqual([]);
    });
  });

  describe('connections create refuses before anything is sent', () => {
    const url = (text: string) => ['--name', 'app', '--url', text, '--password-env', 'DB_PASSWORD'];

    it.each([
      [[], 'missing: --name, --host, --database, --user'],
      [['--type', 'mysql'], 'missing: --name'],
      [[...flags, '--port', 'x'], '--port x: not a port'],
      [[...flags, '--port', '0'], '--port 0: not a port'],
      [[...flags, '--port', '65536'], '--port 65536: not a port'],
      [[...flags, '--name', ''], 'name: must not be empty'],
      [[...flags, '--name', 'n'.repeat(256)], 'name: must have at most 255 characters'],
      [[...flags, '--password-env', 'UNSET'], '--password-env UNSET: the variable is not set'],
      [[...flags, '--password-env', 'EMPTY'], 'the password is empty'],
      [[...flags, '--password-env', 'DB_PASSWORD', '--password-stdin'], 'cannot be combined'],
      [[...flags], 'there is no terminal'],
      [url('mysql://me@db/app'), 'not a PostgreSQL URL'],
      [url('postgres://db/app'), 'missing: --user'],
      [url('postgres://me@db'), 'missing: --database'],
      [url('postgres:///app'), 'missing: --host'],
      [[...url('postgres://me@db/app'), '--host', 'other'], 'both --host and the URL give the host'],
      [[...url('postgres://me@db/app?sslmode=require'), '--no-ssl'], 'both --ssl and the URL give the ssl'],
      [[...url('postgres://me@db/app'), '--type', 'mysql'], 'is for the types postgresql and pg'],
      [[...url('postgres://me@db/app'), '--url-stdin'], '--url and --url-stdin cannot be combined'],
      [
        ['--name', 'app', '--url-stdin', '--password-stdin'],
        '--url-stdin and --password-stdin cannot be combined',
      ],
      [['--file', 'a.json', '--name', 'app'], "'--file <path>' cannot be used with option '--name <name>'"],
      [['--file', 'a.json', '--no-ssl'], "cannot be used with option '--no-ssl'"],
      [['--file', 'a.json', '--url', 'postgres://h'], 'cannot be used with option'],
      [['--file', 'a.json', '--password-stdin'], 'cannot be used with option'],
      [[...flags, 'stray'], 'orgctl connections create takes no arguments, but got 1'],
    ])('%j', async (args, message) => {
      const { env, peer } = await creating();
      const ended = await runCli(['connections', 'create', ...args], {
        env: { ...env, DB_PASSWORD: 'hunter2', EMPTY: '\n' },
      });
      expect(ended.stderr).toContain(message);
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(peer.connections).toBe(0);
    });

    it.each([
      [[], '--name app --host localhost --database app --user app --password-env PGPASSWORD'],
      [['--type', 'mysql', '--host', 'db one'], "--type mysql --host 'db one' --name app"],
      [['--name', 'n', '--port', '1', '--no-ssl', '--password-env', 'X'], '--no-ssl --password-env X'],
      [['--url', 'postgres://me@db', '--name', 'n'], '--url postgres://me@db --password-env PGPASSWORD'],
    ])('%j, and shows a command with all that is missing, which works', async (args, words) => {
      const { env } = await creating();
      const ended = await runCli(['connections', 'create', ...args, '-o', 'json'], { env });
      expect(errorOf(ended)).toMatchObject({ code: 'usage', hint: expect.stringContaining(words) });
      const [, ...next] = z.parse(z.array(z.string()), errorOf(ended)['next']);
      const again = await runCli([...next, '--dry-run'], { env: { ...env, PGPASSWORD: 'p', X: 'p' } });
      expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('a dry run') });
    });

    it('a password in an argument, which it does not repeat', async () => {
      const env = { ...emptyEnvironment(), DB_PASSWORD: 'x' };
      const ended = await runCli(['connections', 'create', ...url('postgres://me:hunter2@db/app')], { env });
      expect(ended.code).toBe(2);
      expect(ended.stderr).toContain('--url must not hold a password');
      expect(ended.stderr).toContain('--url-stdin');
      expect(ended.stderr).not.toContain('hunter2');
    });

    it('two passwords', async () => {
      const env = { ...emptyEnvironment(), DB_PASSWORD: 'x' };
      const ended = await runCli(
        ['connections', 'create', '--name', 'app', '--url-stdin', '--password-env', 'DB_PASSWORD'],
        { env, stdin: 'postgres://me:hunter2@db/app' },
      );
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('already has a password') });
      expect(ended.stderr).not.toContain('hunter2');
    });
  });

  describe('on a terminal', () => {
    it('asks for all that is missing', async () => {
      const { env, posted } = await creating();
      const { system, ended } = startCli(['connections', 'create'], { env, isTTY: true });
      for (const [question, answer] of [
        ['Name of the connection:', 'asked'],
        ['Host of the database:', 'db.example.com'],
        ['Name of the database:', 'app'],
        ['User to log in as:', 'me'],
        ['Password [hidden]', 'pw'],
      ] as const) {
        await expect.poll(() => system.stderrText()).toContain(question);
        system.type(`${answer}\r`);
      }
      expect((await ended).code).toBe(0);
      const config = { ...fromFlags, host: 'db.example.com', password: 'pw' };
      expect(posted()).toEqual([{ name: 'asked', type: 'postgresql', config }]);
    });

    it.each([
      [
        'my.example.com\r3306\rshop\rme\rhunter2\r',
        { host: 'my.example.com', port: 3306, database: 'shop', user: 'me', password: 'hunter2' },
      ],
      ['my.example.com\r\r\rme\r\r', { host: 'my.example.com', user: 'me' }],
      ['\r', {}],
    ])('asks for the settings of another type, of which none is required: %j', async (typed, config) => {
      const { env, posted } = await creating();
      const args = ['connections', 'create', '--type', 'mysql', '--name', 'shop'];
      const ended = await runCli(args, { env, isTTY: true, stdin: typed });
      expect(ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining('hunter2') });
      expect(posted()).toEqual([{ name: 'shop', type: 'mysql', config }]);
    });

    it('asks nothing about another type when there are settings, or no one to ask', async () => {
      const { env, posted } = await creating();
      const args = ['connections', 'create', '--type', 'redis', '--name', 'cache'];
      expect((await runCli([...args, '--host', 'r'], { env, isTTY: true })).code).toBe(0);
      expect((await runCli(args, { env })).code).toBe(0);
      expect(posted()).toMatchObject([{ config: { host: 'r' } }, { config: {} }]);
    });
  });
});
