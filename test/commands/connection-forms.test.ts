import { lstatSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { emptyEnvironment, runCli, startCli, temporaryDirectory } from '../support/run-cli.js';
import { serviceEnvironment, useService } from '../support/service.js';
import { fileOf } from './support/connection-entries.js';
import { type Env, listed } from './support/organization.js';
import { runWith, startServe } from './support/serve.js';

const service = useService();
beforeEach(() => service.server.control.reset());
const secrets = { APP_DB_PASSWORD: 'hunter2', TLS_KEY: 'k' };
const environment = () => service.environment(secrets);

const short = `name: app
type: postgresql
config: { host: db, database: app, user: app, password: { env: APP_DB_PASSWORD } }`;
const marked = `name: cache
type: redis
config: { host: r, tls: { key: { $secret: { env: TLS_KEY } } } }`;

const indent = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);
const list = (...entries: readonly string[]) => entries.map((one) => `- ${indent(one, '  ')}\n`).join('');

/** One connection in every form that any of the three reads. */
const forms = {
  'a list': list(short, marked),
  'a JSON list': JSON.stringify(parse(list(short, marked))),
  'an organization': `version: 1\nconnections:\n${list(short, marked)}teams:\n- name: ops\n`,
  'a seed': `organizations:\n- name: acme\n  connections:\n  ${indent(list(short, marked), '  ').trimEnd()}\n`,
};

const fileWith = (text: string, name = 'connections.yaml') => fileOf(text, name);

/** What `serve --seed` has of a file, read by a client of it. */
async function seeded(path: string, env: Env = emptyEnvironment()) {
  const { system, ended } = startCli(
    ['serve', '--ephemeral', '--port', '0', '--no-console', '--http', '--seed', path, '-o', 'json'],
    { env },
  );
  await expect.poll(() => system.stdoutText()).toContain('\n');
  const client = serviceEnvironment(JSON.parse(system.stdoutText()));
  const found = await listed('connections', client);
  const patch = await runCli(['connections', 'update', 'app', '--port', '1', '-o', 'json'], { env: client });
  system.raise('SIGTERM');
  return { found, patch, ended: await ended };
}

const config = { host: 'db', port: 5432, database: 'app', user: 'app', ssl: true };
const made = [
  { name: 'app', type: 'postgresql', config },
  { name: 'cache', type: 'redis', config: { host: 'r' } },
];

it.each(Object.entries(forms))(
  'a connection in %s is read by serve and, unless in a seed, by create and apply',
  async (form, text) => {
    const env = environment();
    if (form !== 'a seed') {
      const created = await runCli(['connections', 'create', '--file', fileWith(text)], { env });
      expect([created.code, await listed('connections', env)]).toMatchObject([0, made]);
      await service.server.control.reset();
      expect(await runCli(['apply', '-', '--yes'], { env, stdin: text })).toMatchObject({ code: 0 });
      expect(await listed('connections', env)).toMatchObject(made);
      expect((await runCli(['diff', '-'], { env, stdin: text })).stderr).toMatch(/^nothing to change/);
    }
    const { found, patch, ended } = await seeded(fileWith(text), secrets);
    expect(ended).toMatchObject({ stderr: expect.not.stringContaining('random') });
    expect(found).toMatchObject(made);
    // The password was stored: without one the service refuses the settings.
    expect(patch.code).toBe(0);
  },
);

it('an export is a seed, without the secrets too', async () => {
  const env = environment();
  const whole = forms['an organization'];
  await runCli(['apply', '-', '--yes'], { env, stdin: whole });
  const path = join(temporaryDirectory(), 'org.yaml');
  expect(await runCli(['export', path], { env })).toMatchObject({ code: 0, stdout: '' });
  const { found, ended } = await seeded(path);
  expect(ended.stderr).toContain('secret of the seed made up, for lack of: APP_DB_PASSWORD');
  expect(found).toMatchObject(made);
});

it('a seed keeps the IDs that pin entries of an organization file', async () => {
  const pinned = (id: string) => `version: 1\nteams: [{ name: a, id: team_1 }, { name: a, id: ${id} }]\n`;
  const keys = 'api-keys: [{ name: k, id: key_2 }]\n';
  const path = fileWith(`${pinned('team_2')}connections:\n${list(`${short}\nid: conn_1`)}\n${keys}`);
  const { ready, stop } = await startServe(['--ephemeral', '--seed', path], secrets);
  expect(await runWith(ready, ['diff', path, '--exit-code'])).toMatchObject({ code: 0 });
  await stop();
});

it('a seed says that files and commands are not read for its secrets', async () => {
  const text = forms['a seed'].replace(
    'password: { env: APP_DB_PASSWORD }',
    'password: { command: pass app }',
  );
  const { found, ended } = await seeded(fileWith(text.replace('env: TLS_KEY', 'file: key.pem')));
  expect(ended.stderr).toContain('2 secrets of the seed made up, for lack of: a file or command');
  expect(found).toMatchObject(made);
});

it('the other kinds of an organization’s file are named, and left alone', async () => {
  const path = fileWith('version: 1\nconnections: []\nteams: [{ name: ops }]\napi-keys: [{ name: ci }]\n');
  const { code, stderr } = await runCli(['teams', 'create', '--file', path], { env: environment() });
  expect(code).toBe(0);
  expect(stderr).toContain('only teams are created; orgctl apply applies the whole file\n');
});

it('a file without such a kind is refused', async () => {
  const teams = fileWith('version: 1\nteams: []\n');
  const none = await runCli(['connections', 'create', '--file', teams], { env: environment() });
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('has no list of connections') });
});

describe('export FILE', () => {
  it('makes a private file where a link leads to nothing, as diff --out does', async () => {
    const env = environment();
    const directory = temporaryDirectory();
    const org = fileOf('version: 1\nteams: [{name: a}]\n', 'org.yaml');
    for (const [name, line] of [
      ['org', ['export']],
      ['plan', ['diff', org, '--out']],
    ] as const) {
      const link = join(directory, `${name}.link`);
      symlinkSync(`${name}.json`, link);
      expect((await runCli([...line, link], { env })).code).toBe(0);
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
      expect(statSync(join(directory, `${name}.json`)).mode & 0o777).toBe(0o600);
    }
  });

  it('leaves what is there when it cannot be replaced, or the service fails', async () => {
    const env = environment();
    const path = fileWith('version: 1\n');
    await service.server.control.faults.set(['GET /teams=500']);
    expect((await runCli(['export', path, '--retries', '0'], { env })).code).toBe(10);
    await service.server.control.faults.clear();
    expect(readFileSync(path, 'utf8')).toBe('version: 1\n');
    for (const place of [temporaryDirectory(), join(path, 'below'), '/dev/full']) {
      expect(await runCli(['export', place], { env })).toMatchObject({ code: 2, stdout: '' });
    }
  });
});
