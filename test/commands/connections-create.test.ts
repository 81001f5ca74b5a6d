import { describe, expect, it } from 'vitest';
import { shellWords } from '../../src/commands/completion/line.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { errorOf, runCli } from '../support/run-cli.js';
import { createdAnswer, quotaAnswer, scriptedService } from './support/scripted-service.js';

const flags = ['--name', 'app', '--host', 'db', '--database', 'app', '--user', 'me'] as const;
const fromFlags = { host: 'db', port: 5432, database: 'app', user: 'me', password: 'hunter2', ssl: true };

const command = ['connections', 'create'];

/** What is sent, and how it ended, against a service that creates all. */
async function create(args: readonly string[], options: Parameters<typeof runCli>[1] = {}) {
  const { env, peer, posted } = await scriptedService({
    'GET /quotas': () => quotaAnswer(10),
    'POST /connections': createdAnswer,
  });
  const ended = await runCli([...command, ...args], { ...options, env: { ...env, ...options.env } });
  return { ended, posted: posted(), peer };
}

const url = (text: string) => ['--name', 'app', '--url', text];

describe('connections create', () => {
  const moved = { ...fromFlags, port: 6432, ssl: false };
  const withUser = ['--user', 'me', '--no-ssl'];

  it.each<[string, string[], object, string?]>([
    ['defaults of PostgreSQL', [...flags], fromFlags],
    ['a URL', url('postgres://me@db:6432/app?sslmode=disable'), moved],
    ['a URL and flags beside it', [...url('postgresql://db/app'), ...withUser], { ...fromFlags, ssl: false }],
  ])('sends %s', async (_what, args, config, type = 'postgresql') => {
    const { ended, posted, peer } = await create([...args, '--password-stdin'], { stdin: 'hunter2\n' });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect([posted, peer.requests.length]).toEqual([[{ name: 'app', type, config }], 1]);
  });

  it('takes URL and password from stdin', async () => {
    const args = ['--name', 'app', '--url-stdin', '-v'];
    const { ended, posted } = await create(args, { stdin: 'postgres://me:hun%2Fter2@db/app\n' });
    const config = { ...fromFlags, password: 'hun/ter2' };
    expect(posted).toEqual([{ name: 'app', type: 'postgresql', config }]);
    expect(ended).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/hun(%2F|\/)ter2/) });
  });

  it('prints with --skip-existing the connection that has the name already, and creates none', async () => {
    const names = ['other', 'app'].map((name, at) => ({ id: `conn_${at}`, name }));
    const { env, peer } = await scriptedService({
      'GET /connections': () => httpAnswer(200, names, { 'X-Total-Count': '2' }),
    });
    const args = [...command, ...flags, '--password-stdin', '--skip-existing', '-o', 'json'];
    const ended = await runCli(args, { env, stdin: 'x' });
    expect(ended).toMatchObject({ code: 0, stderr: '{"note":"connection \\"app\\" already exists"}\n' });
    expect(JSON.parse(ended.stdout)).toEqual({ id: 'conn_1', name: 'app' });
    expect(peer.requests.map(({ method }) => method)).toEqual(['GET']);
  });
});

describe('connections create --dry-run', () => {
  it('prints the request with the password masked; it needs no service, no profile and no password', async () => {
    const ended = await runCli([...command, ...flags, '--dry-run', '-o', 'json']);
    const note = 'dry run: nothing was created';
    expect(ended).toMatchObject({ code: 0, stderr: `${JSON.stringify({ note })}\n` });
    const body = { name: 'app', type: 'postgresql', config: { ...fromFlags, password: '********' } };
    expect(JSON.parse(ended.stdout)).toEqual({ method: 'POST', target: '/connections', body });
  });

  it.each<[string, string[], string, object]>([
    [
      'what is not known to be harmless, whatever its name',
      ['--file', '-', '--query', '[0]'],
      '[{"name":"app","type":"x","config":{"host":"db","uri":"hunter2","keys":["hunter2"],"auth":{"user":"hunter2"}}}]',
      { host: 'db', uri: '********', keys: '********', auth: '********' },
    ],
  ])('masks %s, and sends nothing', async (_what, args, stdin, config) => {
    const { ended, posted } = await create([...args, '--dry-run'], { stdin });
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({ body: { config } });
    expect(ended.stdout + ended.stderr).not.toContain('hunter2');
    expect(posted).toEqual([]);
  });
});

describe('connections create refuses before anything is sent', () => {
  const both = [...flags, '--password-env', 'DB_PASSWORD'];
  const byUrl = (text: string) => [...url(text), '--password-env', 'DB_PASSWORD'];

  it.each([
    [[], 'missing: --name, --host, --database, --user'],
    [[...flags, '--port', '65536'], '--port 65536: not a port'],
    [['--name', '', ...flags.slice(2)], 'name: must not be empty'],
    [[...flags, '--password-env', 'UNSET'], '--password-env UNSET: the variable is not set'],
    [[...flags, '--password-env', 'EMPTY'], 'the password is empty'],
    [[...both, '--password-stdin'], 'cannot be used with option'],
    [[...flags], 'there is no terminal'],
    [byUrl('postgres://me:hunter2@db/app'), '--url must not contain a password'],
    [['--url-stdin', '--password-stdin'], 'cannot be used with option'],
    [['--name', 'a', '--url-stdin', '--password-env', 'DB_PASSWORD'], 'already has a password'],
    [['--file', 'a.json', '--name', 'app'], "'--file <path>' cannot be used with option '--name <name>'"],
    [[...flags, 'stray'], "too many arguments for 'create'. Expected 0 arguments but got 1"],
  ])('%j', async (args, message) => {
    const stdin = 'postgres://me:hunter2@db/app';
    const { ended, peer } = await create(args, { stdin, env: { DB_PASSWORD: 'hunter2', EMPTY: '\n' } });
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
    expect(ended.stderr).not.toContain('hunter2');
    expect(peer.connections).toBe(0);
  });

  it('what is not complete, and shows a whole command', async () => {
    const words = '--name app --host localhost --database app --user app --password-env PGPASSWORD';
    const { ended } = await create(['-o', 'json']);
    expect(errorOf(ended)).toMatchObject({ code: 'usage', hint: expect.stringContaining(words) });
    const [, ...shown] = shellWords(String(errorOf(ended)['hint']));
    const again = await runCli([...shown, '--dry-run'], { env: { PGPASSWORD: 'p', X: 'p' } });
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('dry run') });
  });
});

describe('connections create on a terminal', () => {
  it('asks for all that is missing', async () => {
    const stdin = 'asked\rdb.example.com\rapp\rme\rpw\r';
    const { ended, posted } = await create([], { isTTY: true, stdin });
    const config = { ...fromFlags, host: 'db.example.com', password: 'pw' };
    expect(posted).toEqual([{ name: 'asked', type: 'postgresql', config }]);
    for (const question of ['Name of the connection:', 'Host of the database:', 'Name of the database:'])
      expect(ended.stderr).toContain(question);
    expect(ended.stderr).toMatch(/User to log in as:.*Password \[hidden\]/s);
  });

  it('asks for no settings of another type, which may need none', async () => {
    const args = ['--type', 'mysql', '--name', 'shop', '--host', 'r'];
    const { ended, posted } = await create(args, { isTTY: true, stdin: '' });
    expect(ended.code).toBe(0);
    expect(posted).toEqual([{ name: 'shop', type: 'mysql', config: { host: 'r' } }]);
  });
});
