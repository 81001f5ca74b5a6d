import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { fileOf } from '../commands/support/connection-entries.js';
import {
  apply,
  entry,
  listed,
  organization,
  planOf,
  requestsWhile,
} from '../commands/support/organization.js';
import { errorOf, runCli, withProfileFile } from '../support/run-cli.js';
import { marked, other, useOrganizationService } from './support/organization-service.js';

const { service, environment } = useOrganizationService();

const whole = organization({ connections: [entry('app')], teams: [{ name: 'platform' }] });

describe('diff', () => {
  it('shows what would be made, and changes nothing', async () => {
    const env = environment();
    const requests = await requestsWhile(service.server, async () => {
      const { code, stdout, stderr } = await runCli(['diff', '-'], { env, stdin: whole });
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: '2 to create; 0 unchanged; not in the file: all API keys\n',
      });
      expect(stdout).toBe(`teams
  + platform
connections
  + app
      type: postgresql
      config.host: db
      config.port: 5432
      config.database: app
      config.user: app
      config.ssl: true
      config.password: sent, from APP_DB_PASSWORD
api-keys
  = not in the file, so unchanged
`);
    });
    expect(Object.keys(requests)).toEqual(['GET']);
  });

  it('shows each field that differs, and that secrets are not compared', async () => {
    const env = environment();
    await apply(whole, env);
    const drifted = organization({ connections: [entry('app', { host: 'db2', port: 5433 })], teams: [] });
    const { code, stdout } = await runCli(['diff', '-'], { env, stdin: drifted });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /~ app \(conn_\w+\)\n {6}config\.host: db → db2\n {6}config\.port: 5432 → 5433\n {6}config\.password: not compared; sent with --set-secrets\n/,
    );
    const colored = await runCli(['diff', '-', '--color', 'always'], { env, stdin: drifted });
    expect(colored.stdout).toContain('\u001b[33m  ~\u001b[39m');
  });

  it('counts what is not compared of each of two namesakes, changed or not', async () => {
    const env = environment();
    const create = ['connections', 'create', '--file', '-'];
    const stdin = JSON.stringify(entry('app'));
    for (const _ of [1, 2]) expect((await runCli(create, { env, stdin })).code).toBe(0);
    const { stdout: exported } = await runCli(['export', '--kind', 'connections', '-o', 'json'], { env });
    expect((await planOf(exported, env)).plan.notCompared.connections).toEqual({ 'config.password': 2 });
    const { stdout } = await runCli(['diff', '-'], { env, stdin: exported.replace('5432', '5433') });
    expect(stdout.match(/config\.password: not compared/g)).toHaveLength(2);
  });
  it('exits 15 with --exit-code, when something would change', async () => {
    const env = environment();
    const args = ['diff', '-', '--exit-code', '-o', 'json'];
    const before = await runCli(args, { env, stdin: whole });
    expect(before.code).toBe(15);
    expect(errorOf(before)).toMatchObject({ code: 'changes', exitCode: 15 });
    // A command that reads stdin cannot be pasted.
    expect(errorOf(before)['hint']).toMatch(/^orgctl apply FILE$/);
    expect(errorOf(before)).not.toHaveProperty('next');
    await apply(whole, env);
    expect(await runCli(args, { env, stdin: whole })).toMatchObject({ code: 0 });
  });

  it('keeps numbers exact, and takes their spelling for nothing', async () => {
    const env = environment();
    const file = (serial: string) => `version: 1
connections:
  - name: big
    type: mysql
    config: { port: ${serial} }
`;
    await apply(file('9007199254740993'), env);
    expect((await planOf(file('9007199254740993'), env)).plan.changes).toEqual([]);
    expect((await planOf(file('9007199254740992'), env)).plan.changes).toHaveLength(1);
    const drift = await runCli(['diff', '-'], { env, stdin: file('9007199254740995') });
    expect(drift.stdout).toContain('config.port: 9007199254740993 → 9007199254740995');
    await apply(file('5432'), env);
    expect((await planOf(file('5432.0'), env)).plan.changes).toEqual([]);
  });

  it('warns where the quota has no room', async () => {
    const env = environment();
    await service.server.control.quotas.set({ teams: 0 });
    const { code, stderr } = await runCli(['diff', '-'], { env, stdin: whole });
    expect(code).toBe(0);
    expect(stderr).toContain('teams: 1 to create, but the quota is full (0 of 0 used); apply would');
    const inScript = await runCli(['diff', '-', '--exit-code'], { env, stdin: whole });
    expect(inScript).toMatchObject({
      code: 15,
      stderr: expect.stringContaining('hint: make room in the quota'),
    });
    expect(inScript.stderr).not.toContain('orgctl apply');
  });
});

describe('apply', () => {
  it('makes what is missing, and nothing the second time, by reads alone', async () => {
    const env = environment();
    const first = await apply(whole, env);
    expect(first.ended).toMatchObject({ code: 0, stderr: '' });
    expect(first.rows).toMatchObject([
      { kind: 'teams', name: 'platform', result: 'created', team: { name: 'platform' } },
      { kind: 'connections', name: 'app', result: 'created', connection: { name: 'app' } },
    ]);
    const requests = await requestsWhile(service.server, async () => {
      const { code, stdout, stderr } = await runCli(['apply', '-', '--yes'], { env, stdin: whole });
      expect({ code, stdout, stderr }).toEqual({
        code: 0,
        stdout: '',
        stderr: 'nothing to change (2 unchanged); not in the file: all API keys\n',
      });
    });
    expect(requests).toEqual({ GET: 2 });
  });

  it('says what it did in lines that fit any terminal', async () => {
    const { stdout } = await runCli(['apply', '-', '--yes', '-q'], { env: environment(), stdin: whole });
    expect(stdout).toMatch(/^created team platform \(team_\w+\)\ncreated connection app \(conn_\w+\)\n$/);
  });

  it('sends a change as a patch of what differs, and secrets only when told to', async () => {
    const env = environment();
    await apply(whole, env);
    const file = organization({ connections: [entry('app', { host: 'db2' })] });
    await service.server.control.journal.clear();
    await apply(file, env);
    const [patch] = await service.server.control.journal.get({ method: 'PATCH' });
    expect(patch?.body).toEqual({ config: { host: 'db2' } });
    const again = await apply(file, env, '--set-secrets');
    expect(again.rows).toMatchObject([{ name: 'app', result: 'changed' }]);
    const [, withSecret] = await service.server.control.journal.get({ method: 'PATCH' });
    expect(withSecret?.body).toEqual({ config: { password: '********' } });
  });

  it('asks on a terminal, where the plan is shown first, and does nothing without a yes', async () => {
    const env = environment();
    const file = fileOf(whole, 'org.yaml');
    const yes = await runCli(['apply', file, '--color', 'never'], { env, isTTY: true, stdin: 'y\r' });
    expect(yes.code).toBe(0);
    expect(yes.stderr).toMatch(/\+ platform[\s\S]*2 to create; 0 unchanged\. Apply these changes on /);
    expect(yes.stderr).toContain(`on ${service.server.url}? [y/N]`);
    await service.server.control.reset();
    const no = await runCli(['apply', file], { env, isTTY: true, stdin: '\r' });
    expect(no).toMatchObject({ code: 130, stderr: expect.stringContaining('nothing was changed') });
    expect(await service.server.control.journal.count({ method: 'POST' })).toBe(0);
  });

  it('refuses without a terminal and --yes', async () => {
    const ended = await runCli(['apply', '-'], { env: environment(), stdin: whole });
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--yes') });
    expect(await service.server.control.journal.count({ method: 'POST' })).toBe(0);
  });

  it('refuses by a profile that is read-only, before anything is sent', async () => {
    const { url: baseUrl, keyId, secret } = service.server;
    const main = { baseUrl, keyId, secret, readOnly: true };
    const env = withProfileFile({ version: 1, current: 'main', profiles: { main } });
    const { ended } = await apply(whole, { ...env, APP_DB_PASSWORD: 'hunter2' });
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(errorOf(ended)).toMatchObject({
      message: 'this profile is read-only; nothing was changed',
      hint: 'use another profile for changes: --profile NAME',
    });
    expect(await service.server.control.journal.count({ method: 'POST' })).toBe(0);
  });

  it('refuses a plan that does not fit into the quotas, before anything is sent', async () => {
    const env = environment();
    await service.server.control.quotas.set({ connections: 0 });
    const { ended } = await apply(whole, env);
    expect(ended).toMatchObject({ code: 7, stdout: '' });
    expect(errorOf(ended)).toMatchObject({ quota: { kind: 'connections', limit: 0, used: 0 } });
    expect(await service.server.control.journal.count({ method: 'POST' })).toBe(0);
  });

  it('advises --prune only where it would make a plan fit into the quota', async () => {
    const env = environment();
    const teams = (...names: string[]) => organization({ teams: names.map((name) => ({ name })) });
    await apply(teams('old'), env);
    await service.server.control.quotas.set({ teams: 1 });
    const hintOf = async (file: string, ...options: string[]) =>
      errorOf((await apply(file, env, ...options)).ended)['hint'];
    expect(await hintOf(teams('a'))).toMatch(/^remove entries from the file, or make room: --prune /);
    expect(await hintOf(teams('a', 'b'))).toBe('remove entries from the file');
    expect(await hintOf(teams('a', 'b'), '--prune=all')).toBe('remove entries from the file');
  });

  it('stops at a name that several have, naming them, unless an ID pins one', async () => {
    const env = environment();
    for (let round = 0; round < 2; round += 1) await runCli(['teams', 'create', '--name', 'twin'], { env });
    const [one, another] = await listed('teams', env);
    const { ended } = await apply(organization({ teams: [{ name: 'twin' }] }), env);
    expect(ended.code).toBe(2);
    expect(errorOf(ended)['message']).toContain(
      `stdin:3:5: teams[0].name: 2 teams have this name: ${one?.['id']}, ${another?.['id']}`,
    );
    const pinned = organization({ teams: [{ name: 'twin', id: one?.['id'] }] });
    expect((await planOf(pinned, env)).plan).toMatchObject({ changes: [], unchanged: { teams: 1 } });
    const exported = parse((await runCli(['export'], { env })).stdout);
    const ids = [one?.['id'], another?.['id']].sort();
    expect(exported.teams).toEqual(ids.map((id) => ({ name: 'twin', id })));
  });
});

describe('export', () => {
  it('writes what diff finds to be as it is', async () => {
    const env = environment();
    await apply(whole, env);
    const { code, stdout } = await runCli(['export'], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^# yaml-language-server: \$schema=organization\.schema\.json\n/);
    expect(parse(stdout)).toEqual({
      version: 1,
      connections: [entry('app')],
      teams: [{ name: 'platform' }],
      'api-keys': [{ name: 'bootstrap' }],
    });
    expect((await planOf(stdout, env)).plan.changes).toEqual([]);
    const json = await runCli(['export', '-o', 'json'], { env });
    expect((await planOf(json.stdout, env)).plan.changes).toEqual([]);
  });

  it('gives names and settings back as they were, whatever they look like', async () => {
    const env = environment();
    const texts = [
      'null',
      '~',
      '1e3',
      '- a',
      '# x',
      'a: b',
      "'",
      '"',
      '. .',
      'é\u2028',
      'constructor',
      '__proto__',
    ];
    const settings = { env: 'x', list: ['~', 1.5, null, { file: '' }], text: 'a\n b\n', on: false };
    const file = organization({
      connections: texts.map((name) => other({ ...settings, text: name }, name)),
      teams: texts.map((name) => ({ name })),
    });
    expect((await apply(file, env)).ended.code).toBe(0);
    const { stdout } = await runCli(['export'], { env });
    for (const same of [file, stdout]) expect((await planOf(same, env, '--prune')).plan.changes).toEqual([]);
  });
});

it('no output has a secret, whatever is done and fails', async () => {
  const env = environment();
  const file = organization({
    connections: [
      entry('app', { options: 'sslkey=topsecret' }),
      other({ uri: marked({ env: 'APP_DB_PASSWORD' }), token: 'topsecret' }),
    ],
  });
  const runs = [
    await runCli(['diff', '-', '-v'], { env, stdin: file }),
    (await planOf(file, env)).ended,
    (await apply(file, env, '-v')).ended,
    (await apply(file, env, '-v', '--set-secrets')).ended,
    await runCli(['diff', '-', '--set-secrets', '-o', 'csv'], { env, stdin: file }),
    await runCli(['export', '-o', 'json'], { env }),
  ];
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
  for (const { stdout, stderr } of runs) {
    expect(stdout + stderr).not.toContain('hunter2');
    expect(stderr).not.toContain('topsecret');
  }
  // What apply created is shown as the service returns it.
  for (const plan of [runs[0], runs[1], runs[4]]) expect(plan?.stdout).not.toContain('topsecret');
});
