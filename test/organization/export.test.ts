import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Env, organization, planOf } from '../commands/support/organization.js';
import { pageAnswer, scriptedService } from '../commands/support/scripted-service.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { type Ended, runCli, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';

const service = useService({ quotas: { connections: 50 } });
beforeEach(() => service.server.control.reset());

const harmless = { host: 'db', port: 5432, database: 'app', user: 'app', ssl: true };

/** A service that returns all that it has, secrets included. */
function foreign(connections: readonly unknown[]) {
  const whole = (data: readonly unknown[]) => () =>
    pageAnswer(data, { total: data.length, page: 1, pages: 1 });
  const changed = ({ body }: { readonly body: Buffer }) => httpAnswer(200, JSON.parse(body.toString('utf8')));
  return scriptedService({
    'GET /connections': whole(connections),
    'GET /teams': whole([]),
    'GET /api-keys': whole([{ id: 'key_test', name: 'mine' }]),
    ...Object.fromEntries(connections.map((one) => [`PATCH /connections/${Object(one).id}`, changed])),
  });
}

const app = { id: 'conn_1', name: 'app', type: 'postgresql' };
const connection = (config: unknown, more: Record<string, unknown> = {}) => ({ ...app, config, ...more });

/** The settings of the only connection of an export. */
function settingsOf({ code, stdout }: Ended): Record<string, unknown> {
  expect(code).toBe(0);
  return parse(stdout).connections[0].config;
}

describe('a secret in a harmless field', () => {
  const misplaced = { host: 'db', port: 5432, database: 'app', user: 'u:SECRET', ssl: 'SECRET' };

  it.each([
    ['postgresql', { user: { $secret: { env: 'APP_DB_USER' } } }],
    ['mysql', { user: { $secret: { env: 'APP_DB_USER' } }, ssl: { $secret: { env: 'APP_DB_SSL' } } }],
  ])('is in no export, diff or plan: %s', async (type, replaced) => {
    const { env } = await foreign([connection(misplaced, { type })]);
    const exported = await runCli(['export'], { env });
    expect(settingsOf(exported)).toMatchObject(replaced);
    expect(exported.stdout + exported.stderr).not.toContain('SECRET');
    const connections = [{ name: 'app', type: 'pg', config: { user: 'x', ssl: true } }];
    const wanted = organization({ connections });
    const out = join(temporaryDirectory(), 'plan.json');
    for (const options of [[], ['-o', 'json']]) {
      const ended = await runCli(['diff', '-', '--out', out, ...options], { env, stdin: wanted });
      expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('********') });
      expect(ended.stdout + ended.stderr + readFileSync(out, 'utf8')).not.toContain('SECRET');
    }
  });

  it('of a type is left out by export, and masked by diff', async () => {
    const type = 'mysql://u:SECRET@h';
    const { env } = await foreign([connection({ host: 'db', password: 'x' }, { type })]);
    const exported = await runCli(['export'], { env });
    expect(parse(exported.stdout).connections).toEqual([
      { name: 'app', config: { host: 'db', password: { $secret: { env: 'APP_DB_PASSWORD' } } } },
    ]);
    expect(exported.stderr).toContain('left out type:');
    const wanted = organization({ connections: [{ name: 'app', type: 'mysql' }] });
    const { ended, plan } = await planOf(wanted, env);
    expect(plan.changes).toMatchObject([{ changes: [{ field: 'type', to: 'mysql' }] }]);
    expect(exported.stdout + exported.stderr + ended.stdout + ended.stderr).not.toContain('SECRET');
  });
});

it('settings without a type are refused, also in an export of a service that shows none', async () => {
  const { env } = await foreign([connection({ host: 'db' }, { type: undefined })]);
  const exported = await runCli(['export'], { env });
  const problem = 'connections[0].config: needs the type of the connection';
  expect(exported).toMatchObject({ code: 0, stderr: expect.stringContaining(problem) });
  const refused = await runCli(['diff', '-'], { env, stdin: exported.stdout });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) });
  const typed = exported.stdout.replace('- name: app', '- name: app\n    type: pg');
  expect(await runCli(['diff', '-'], { env, stdin: typed })).toMatchObject({ code: 0 });
});

describe('an export of a service that returns secrets', () => {
  const secrets = {
    sslpassword: 'topsecret',
    sslkey: '-----BEGIN KEY-----\ntopsecret',
    passwd: 'topsecret',
    pw: 'topsecret',
    token: 'topsecret',
    url: 'postgres://app:topsecret@db/app',
  };

  it.each([
    ['postgresql', { password: { env: 'APP_DB_PASSWORD' } }],
    ['mysql', { password: { $secret: { env: 'APP_DB_PASSWORD' } } }],
  ])('has references in their place, and says so: %s', async (type, password) => {
    const config = { ...harmless, ...secrets, password: 'topsecret', nested: { password: 'topsecret' } };
    const { env } = await foreign([connection(config, { type })]);
    const ended = await runCli(['export'], { env });
    expect(settingsOf(ended)).toEqual({
      ...harmless,
      ...password,
      ...Object.fromEntries(
        Object.keys(secrets).map((name) => [name, { $secret: { env: `APP_DB_${name.toUpperCase()}` } }]),
      ),
      nested: {
        password: { $secret: { env: expect.stringMatching(/^APP_DB_NESTED_PASSWORD_[0-9A-F]{16}$/) } },
      },
    });
    expect(ended.stdout + ended.stderr).not.toContain('topsecret');
    expect(ended.stderr).toMatch(
      /connection "app": exported as references, .*sslpassword, sslkey, passwd, pw, token, url/,
    );
    expect(ended.stderr).toMatch(/exported as references to environment variables: \d+ settings/);
  });

  it('leaves out what may be secret and is no text, and says so even when quiet', async () => {
    const config = { ...harmless, pool: { min: 1 }, pin: 1234, tags: ['a', 1], gone: null, empty: '' };
    const { env } = await foreign([connection(config)]);
    const ended = await runCli(['export', '-q'], { env });
    expect(settingsOf(ended)).toEqual({ ...harmless, password: { env: 'APP_DB_PASSWORD' } });
    expect(ended.stderr).toMatch(/^warning: connection "app": left out pool, pin, tags, empty: [^\n]*\n$/);
  });
});

describe('an export of settings in other types', () => {
  it.each([['postgresql'], ['pg']])('has those of a file, and nothing to change: %s', async (type) => {
    const returned = { host: 'db', port: '5432', database: 2024, user: 'app', ssl: 'false' };
    const { env } = await foreign([connection(returned, { type })]);
    const exported = await runCli(['export'], { env });
    expect(settingsOf(exported)).toMatchObject({ ...returned, port: 5432, database: '2024', ssl: false });
    expect(exported.stderr).not.toContain('left out');
    const diff = await runCli(['diff', '-', '--exit-code'], { env, stdin: exported.stdout });
    expect([diff.code, diff.stderr]).toEqual([0, expect.stringContaining('nothing to change')]);
  });

  it.each([
    [1, true],
    ['0', false],
    ['True', true],
  ])('has a switch: %j', async (ssl, wanted) => {
    const { env } = await foreign([connection({ ...harmless, ssl })]);
    const exported = await runCli(['export'], { env });
    expect(settingsOf(exported)).toMatchObject({ ssl: wanted });
    const diff = await runCli(['diff', '-', '--exit-code'], { env, stdin: exported.stdout });
    expect(diff.code).toBe(0);
  });

  it.each(['05432', '5432.0', '5e3', ' 5432', '70000', ''])(
    'leaves out a port that is none: %j',
    async (port) => {
      const { env } = await foreign([connection({ ...harmless, port })]);
      const exported = await runCli(['export'], { env });
      expect(settingsOf(exported)).not.toHaveProperty('port');
      expect(exported.stderr).toContain('left out port');
    },
  );

  it('leaves those of other databases as they are', async () => {
    const { env } = await foreign([connection({ port: '3306' }, { type: 'mysql' })]);
    expect(settingsOf(await runCli(['export'], { env }))).toEqual({ port: '3306' });
  });
});

describe('an export of what somebody put there', () => {
  const place = temporaryDirectory();
  const ran = join(place, 'ran');
  const command = `touch ${ran}`;
  const traps = {
    options: { command },
    labels: { env: 'production' },
    notes: { file: '/etc/passwd' },
    marked: { $secret: { command } },
    deep: { a: [{ $secret: { env: 'HOME' } }] },
    half: { $secret: { command }, more: 'x' },
    $secret: { command },
    password: { command },
    user: { $secret: { command } },
    database: { command },
    __proto: { command },
  };
  const env = { PATH: '/usr/bin:/bin', HOME: place, production: 'stolen' };

  /** Exports, and applies in every way what was exported, with all variables set that the export itself made. */
  async function comeAndGo(of: Env): Promise<readonly Ended[]> {
    const { stdout: exported, code } = await runCli(['export'], { env: of });
    expect(code).toBe(0);
    const made = [...exported.matchAll(/env: (\w+)/g)].map(([, name]) => String(name));
    const variables = Object.fromEntries(made.map((name) => [name, `made-${name}`]));
    expect(made).not.toContain('HOME');
    expect(exported).not.toMatch(/^ *(command|file): [^\n]/m);
    const all = { ...of, ...variables };
    const ended: Ended[] = [];
    for (const args of ['diff - --exit-code', 'apply - --yes', 'apply - --yes --prune=all'])
      ended.push(await runCli(args.split(' '), { env: all, stdin: exported }));
    const sending = ['apply', '-', '--yes', '--no-commands', '--set-secrets'];
    ended.push(await runCli(sending, { env: all, stdin: exported }));
    expect(existsSync(ran)).toBe(false);
    return ended;
  }

  it.each(['postgresql', 'mysql'])('has no reference but its own: %s', async (type) => {
    const { peer, env: of } = await foreign([connection({ ...harmless, ...traps }, { type })]);
    const ended = await comeAndGo({ ...of, ...env });
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const sent = peer.requests.filter(({ method }) => method !== 'GET').map(({ body }) => String(body));
    expect(sent).toHaveLength(1);
    expect(sent.join()).not.toMatch(/stolen|root:|orgctl-test/);
  });

  it('says what the file lacks, each on a line of its own, and what a file cannot have', async () => {
    const { env: of } = await foreign([
      connection({ ...harmless, port: '05432', 'x\nwarning: all is well': 1 }),
      { ...connection({}), id: 'conn_2', name: 'n'.repeat(300) },
      { ...connection({}), id: 'conn_3', name: undefined },
    ]);
    const { stderr, stdout } = await runCli(['export', '-q'], { env: of });
    expect(stderr.split('\n')).toEqual([
      expect.stringContaining('connection "app": left out "x\\nwarning: all is well", port: '),
      'warning: left out 1 connection without a name; apply --prune does not delete them',
      expect.stringMatching(/^warning: diff and apply refuse connections\[1\].name: /),
      '',
    ]);
    expect((await planOf(stdout, of)).ended.code).toBe(2);
  });

  it.each([[{ title: 'app' }], [{ name: { en: 'app' } }], [{}]])(
    'is not written where no names can be read: %j',
    async (shown) => {
      const { env: of } = await foreign([{ id: 'conn_1', type: 'pg', config: {}, ...shown }]);
      const ended = await runCli(['export', '--kind', 'connections'], { env: of });
      expect(ended).toMatchObject({ code: 10, stdout: '' });
      expect(ended.stderr).toContain('the names cannot be read');
    },
  );
});

it('escapes hidden characters in a file, which keeps its values', async () => {
  const name = 'a\u202Eb \u{1F468}\u200D\u{1F469}';
  const { env } = await scriptedService({
    'GET /teams': () => pageAnswer([{ id: 'team_1', name }], { total: 1, page: 1, pages: 1 }),
  });
  const { stdout } = await runCli(['export', '--kind', 'teams'], { env });
  expect(stdout).not.toContain('\u202E');
  expect(stdout).toContain('\\u202e');
  expect((await runCli(['diff', '-', '--exit-code'], { env, stdin: stdout })).code).toBe(0);
});

it('says that it replaced a file', async () => {
  const file = join(temporaryDirectory(), 'org.yaml');
  const env = service.environment();
  const first = await runCli(['export', file], { env });
  expect(first.stderr).toContain(`wrote ${file}`);
  const again = await runCli(['export', file], { env });
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining(`replaced the existing ${file}`) });
});
it('replaces only an organization file or, with --schema, a schema', async () => {
  const directory = temporaryDirectory();
  const write = (name: string, text: string) => {
    const file = join(directory, name);
    writeFileSync(file, text);
    return file;
  };
  const env = service.environment();
  const own = write('org.yaml', '# a comment\nversion: 1\nteams: []\n');
  const notes = write('notes.txt', 'call Ann\n');
  const manifest = write('package.json', '{ "version": "1.0.0" }');
  for (const [args, code] of [
    [['export', own], 0],
    [['export', write('empty.yaml', '')], 0],
    [['export', notes], 2],
    [['export', manifest], 2],
  ] as const) {
    expect(await runCli([...args], { env }), args.join(' ')).toMatchObject({ code, stdout: '' });
  }
  expect(readFileSync(notes, 'utf8')).toBe('call Ann\n');
  expect(readFileSync(manifest, 'utf8')).toBe('{ "version": "1.0.0" }');
});
