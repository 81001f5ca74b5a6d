import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stubGrammar } from '../../src/api/control/stub-text.js';
import { startServer } from '../../src/server/index.js';
import { hostilePeer } from '../support/hostile-peer.js';
import { emptyEnvironment, errorOf, runCli, temporaryDirectory } from '../support/run-cli.js';
import { serviceEnvironment } from '../support/service.js';
import { useLocalServer } from './support/local-server.js';

const steered = useLocalServer();
const { data, local } = steered;

/** The same as a value; it has to succeed. */
async function answered(line: string): Promise<unknown> {
  const { code, stdout, stderr } = await local(`${line} -o json`);
  expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' });
  return JSON.parse(stdout);
}

function orgctl(...args: string[]) {
  return runCli(args, { env: { ...emptyEnvironment(), ...serviceEnvironment(steered.server) } });
}

describe('orgctl local', () => {
  it('shows what runs, in a block and as data', async () => {
    expect(await answered('status')).toMatchObject({
      url: steered.server.url,
      data,
      pid: process.pid,
      keyId: steered.server.keyId,
      clock: { offset: 0 },
      requests: { total: expect.any(Number) },
    });
    const { stdout } = await local('status');
    expect(stdout).toContain(`ADDRESS       ${steered.server.url}\n`);
    expect(stdout).not.toContain(steered.server.controlToken);
  });

  it('acts on no server that a profile or an address seems to choose', async () => {
    for (const option of [
      ['-p', 'other'],
      ['--base-url', steered.server.url],
    ]) {
      const ended = await runCli(['local', 'reset', '--yes', ...option]);
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--data DIR') });
      expect(await runCli(['local', 'status', '--data', data, ...option])).toMatchObject({ code: 0 });
    }
  });

  it.each([
    ['GET /x', '"GET /x": no status after the path, such as \'GET /x=503\''],
    ['GET /x=9999', '"GET /x=9999": "9999" is not a status from 200 to 599'],
    ['GET /x?a=1', '"GET /x?a=1": no status after the path, such as \'GET /x?a=1=503\''],
    ['GET teams=200 []', '"GET teams=200 []": the path must begin with /: \'GET /teams=200 []\''],
    ['GET teams=604', '"GET teams=604": the path must begin with /'],
    ['teams', '"teams": must be a method, a path and a status, such as \'GET /teams=503\''],
  ])('a mistake in a stub is named, with the grammar as the hint: %s', async (stub, message) => {
    const refused = await runCli(['local', 'stubs', 'set', stub, '--data', data, '-o', 'json']);
    expect(errorOf(refused)).toMatchObject({ message: `stub ${message}`, hint: stubGrammar, exitCode: 2 });
  });

  it.each([
    [['stubs', 'set', 'GET /x=200 {'], 'stub "GET /x": the text after the status is not JSON'],
    [['stubs', 'set', 'GET /*=200 []'], 'stub "GET /*": * stands for any text only in fault rules'],
    [['stubs', 'set', 'GET /x=604'], 'stub "GET /x": 604 is not a status from 200 to 599'],
    [['stubs', 'set', 'GET /_control/status=200'], 'the server reserves'],
    [['stubs', 'set', 'BREW /teams=200'], 'not a method and a path'],
    [['stubs', 'set', 'GET /teams=200', 'GET /teams=404'], 'stub "GET /teams": duplicate stub'],
    [
      ['clock', 'advance', 'soon'],
      '"soon" is not a duration such as 500ms, 30s or 2m; a negative one moves the clock back',
    ],
    [['rate-limit', 'set', '9999999999/1m'], '"9999999999/1m": must be requests/duration: 1 to 999999999'],
    [['rate-limit', 'set', '1/25d'], '"1/25d": must be requests/duration'],
    [['rate-limit', 'set', '0/1m'], '"0/1m": must be requests/duration'],
    [['quotas', 'set', 'teams=-3'], 'teams=-3: not of the form kind=number'],
    [['quotas', 'set', 'team=3'], 'team=3: not of the form kind=number'],
    [['keys', 'issue', '--name', ''], 'name: must not be empty'],
  ])('a bad argument is a mistake in typing, whoever finds it: %j', async (args, message) => {
    const refused = await runCli(['local', ...args, '--data', data, '-o', 'json']);
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' });
    expect(errorOf(refused)).toMatchObject({ code: 'usage', message: expect.stringContaining(message) });
    expect(refused.stderr).not.toContain('`');
  });

  it('asks before it takes anything away, and names the server whose data would be lost', async () => {
    const named = (await local('snapshot')).stdout.trim();
    expect(named).toMatch(/^snapshot_\d+$/);
    const snapshot = { snapshot: named, time: expect.stringMatching(/^\d{4}-/) };
    expect(await answered('snapshot list')).toContainEqual(snapshot);
    await orgctl('teams', 'create', '--name', 'a');
    for (const [line, question] of [
      [
        'reset',
        `Reset the server at ${steered.server.url} (data in ${data}) to its initial state? All data except snapshots will be lost.`,
      ],
      [`restore ${named}`, '?'],
      [`keys revoke ${steered.server.keyId}`, 'Permanently revoke'],
    ] as const) {
      const refused = await local(`${line} -o json`);
      expect(errorOf(refused)).toMatchObject({ exitCode: 2, hint: 'pass --yes' });
      const { code, stderr } = await local(line, { isTTY: true, columns: 500, stdin: 'n\r' });
      expect({ line, code, stderr }).toEqual({ line, code: 130, stderr: expect.stringContaining(question) });
      expect(stderr).toContain('nothing was done');
    }
    expect((await orgctl('teams', 'list')).stdout).toContain('a');
    expect(await local(`restore ${named} --yes`)).toMatchObject({ code: 0 });
    expect((await orgctl('teams', 'list', '-o', 'json')).stdout).toBe('[]\n');
    expect(await local('reset --yes')).toMatchObject({ code: 0 });
    for (const name of ['before', 'snapshot_999']) {
      const unknown = await local(`restore ${name} --yes --color never`, { isTTY: true });
      expect(unknown).toMatchObject({ code: 6, stdout: '' });
      expect(unknown.stderr).toBe(
        `error: snapshot "${name}" not found\nhint: list snapshots: orgctl local snapshot list --data ${data}\n`,
      );
    }
  });

  it.each(['keys list', 'keys issue', 'quotas set teams=1'])(
    'refuses %s --organization nope',
    async (line) => {
      const stderr = 'error: organization "nope" not found\n';
      expect(await local(`${line} --organization nope`)).toEqual({ code: 6, stdout: '', stderr });
    },
  );

  it('gives no advice about the service of the profile where a key has no room on this server', async () => {
    const own = temporaryDirectory();
    const server = await startServer({ data: own });
    onTestFinished(() => server.close());
    await server.control.quotas.set({ 'api-keys': 1 });
    const full = errorOf(await runCli(['local', 'keys', 'issue', '--data', own, '-o', 'json']));
    expect(full).toMatchObject({ exitCode: 7, hint: 'raise the limit with orgctl local quotas set' });
  });

  it('names the server that must stop before its data is changed', async () => {
    const file = join(temporaryDirectory(), 'backup.db');
    expect((await runCli(['serve', 'backup', file, '--data', data])).code).toBe(0);
    for (const words of [['rotate-master-key'], ['restore', file, '--force']]) {
      const refused = await runCli(['serve', ...words, '--data', data, '-o', 'json']);
      expect(errorOf(refused)).toMatchObject({
        message: expect.stringContaining('is in use by a server'),
        hint: 'choose another data directory, or stop that server',
      });
    }
  });

  it('takes names for keys, and only whole IDs', async () => {
    const issue = async (name: string) => {
      const { stdout, stderr } = await local(`keys issue --name ${name} -o json`);
      expect(stderr).toBe('{"note":"Save this secret now. It will not be shown again."}\n');
      const { id }: { id: string } = JSON.parse(stdout);
      return id;
    };
    const id = await issue('worker');
    const twins = [await issue('twin'), await issue('twin')];
    const { organization } = steered.server;
    expect(await answered('keys disable worker')).toMatchObject({ id, enabled: false, organization });
    const cut = id.slice(0, 14);
    for (const line of [`keys enable ${cut}`, `keys disable ${cut}`, `keys revoke ${cut} --yes`])
      expect(errorOf(await local(`${line} -o json`))).toMatchObject({
        exitCode: 6,
        message: `API key "${cut}" not found`,
      });
    expect(await answered(`keys enable ${id}`)).toMatchObject({ id, enabled: true, organization });
    expect(await local('keys revoke worker --yes')).toMatchObject({ code: 0, stderr: `${id} revoked\n` });
    const several = await local('keys disable twin -o json');
    expect(several.code).toBe(2);
    for (const twin of twins) expect(errorOf(several)['message']).toContain(twin);
  });

  it('prints the first key for a .env file once that is confirmed, and it works', async () => {
    const refused = await local('key -o json');
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' });
    const no = await local('key', { isTTY: true, stdin: 'n\r' });
    expect({ code: no.code, stdout: no.stdout }).toEqual({ code: 130, stdout: '' });
    const { stdout } = await local('key --yes');
    const env = parseEnv(stdout);
    expect(env).toMatchObject({ ORGCTL_KEY_ID: steered.server.keyId, ORGCTL_SECRET: steered.server.secret });
    expect((await runCli(['quotas'], { env: { ...emptyEnvironment(), ...env } })).code).toBe(0);
  });

  it.each([
    ['disable', 'is disabled'],
    ['revoke', 'has been deleted'],
  ] as const)('key prints the first enabled key, or says that there is none: %s', async (end, fate) => {
    const own = temporaryDirectory();
    const seed = {
      organizations: [{ name: 'a' }, { name: 'b', keys: [{ id: 'key_another', name: 'another' }] }],
    };
    const server = await startServer({ data: own, seed });
    onTestFinished(() => server.close());
    const { keys } = server.control;
    const [off, next] = [await keys.issue({ name: 'off' }), await keys.issue({ name: 'next' })];
    await keys.disable(off.id);
    await keys[end](server.keyId);
    const key = () => runCli(['local', 'key', '--yes', '--data', own, '-o', 'json']);
    const { stdout } = await key();
    expect(JSON.parse(stdout)).toMatchObject({ ORGCTL_KEY_ID: next.id, ORGCTL_SECRET: next.secret });
    await keys.disable(next.id);
    expect(errorOf(await key())).toMatchObject({
      exitCode: 6,
      message: `the first key of this server, ${server.keyId}, ${fate}, and no other one is enabled`,
    });
  });

  it('waits for a server, and does not stop one that only its program may stop', async () => {
    expect(await local('wait')).toMatchObject({ code: 0, stdout: `${steered.server.url}\n` });
    const empty = temporaryDirectory();
    const none = await runCli(['local', 'wait', '--data', empty, '--deadline', '1ms']);
    expect(none).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        new RegExp(
          `no running server found in ${empty}\nhint: point to another one with --data DIR, or start one: orgctl serve --data ${empty}\n`,
        ),
      ),
    });
    const unnamed = await runCli(['local', 'status'], { env: { ...emptyEnvironment() } });
    expect(unnamed.stderr).toContain(
      'hint: point to another one with --data DIR, or start one: orgctl serve\n',
    );
    const stop = await local('stop');
    const refused = 'error: only the program that started this server can stop it\n';
    expect(stop).toMatchObject({ code: 6, stderr: refused });
    expect((await local('status')).code).toBe(0);
  });

  it('names a damaged file of a running server', async () => {
    const file = join(data, 'server.json');
    const whole = readFileSync(file);
    writeFileSync(file, '{"url":');
    expect(errorOf(await local('status -o json'))['message']).toContain('server.json');
    writeFileSync(file, whole);
    expect((await local('status')).code).toBe(0);
  });
});

describe('what orgctl local finds', () => {
  it('has until the deadline to answer', async () => {
    const { origin } = await hostilePeer(() => undefined);
    const env = { ...emptyEnvironment(), ORGCTL_CONTROL_URL: origin, ORGCTL_CONTROL_TOKEN: 't' };
    expect(await runCli(['local', 'status', '--deadline', '50ms'], { env })).toMatchObject({
      code: 9,
      stderr: expect.stringMatching(
        /no complete response before the deadline of 50ms\nhint: raise the deadline.* 100ms\n$/,
      ),
    });
  });

  it('is a server of the environment, of this machine alone', async () => {
    const own = {
      ORGCTL_CONTROL_URL: `${steered.server.url}/_control`,
      ORGCTL_CONTROL_TOKEN: steered.server.controlToken,
      ORGCTL_CA_FILE: steered.server.caFile,
    };
    for (const [change, code] of [
      [{}, 0],
      [{ ORGCTL_CONTROL_URL: `${own.ORGCTL_CONTROL_URL}/` }, 0],
      [{ ORGCTL_CONTROL_URL: steered.server.url }, 0],
      [{ ORGCTL_CONTROL_URL: `${steered.server.url}/` }, 0],
      [{ ORGCTL_CONTROL_TOKEN: undefined }, 3],
      [{ ORGCTL_CONTROL_URL: undefined }, 3],
      [{ ORGCTL_CONTROL_URL: 'https://service.example/_control' }, 3],
      [{ ORGCTL_CONTROL_TOKEN: 'other' }, 4],
    ] as const) {
      const env = { ...emptyEnvironment(), ...own, ...change };
      expect([change, (await runCli(['local', 'clock', 'show'], { env })).code]).toEqual([change, code]);
    }
  });

  it('is trusted by --ca-file before ORGCTL_CA_FILE', async () => {
    const { url, controlToken, caFile, close } = await startServer({ data: temporaryDirectory() });
    onTestFinished(() => close());
    const own = { ORGCTL_CONTROL_URL: url, ORGCTL_CONTROL_TOKEN: controlToken };
    const clock = (flag: string, variable: string) =>
      runCli(['local', 'clock', 'show', '--ca-file', flag], {
        env: { ...emptyEnvironment(), ...own, ORGCTL_CA_FILE: variable },
      });
    expect(await clock(String(caFile), '/nothing.pem')).toMatchObject({ code: 0 });
    expect(await clock('/nothing.pem', String(caFile))).toMatchObject({ code: 3 });
  });

  it('is no server that is gone, and no other in its place', async () => {
    const file = JSON.parse(readFileSync(join(data, 'server.json'), 'utf8'));
    const free = await startServer({ http: true });
    await free.close();
    const body = '{"anything":"goes"}';
    const stranger = await hostilePeer(
      () => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    const { id } = await steered.server.control.keys.issue({ name: 'kept' });
    const stale: [object, RegExp][] = [
      [{ pid: 2 ** 22 + 1 }, /is no longer running$/],
      [{ token: 'other' }, /another server answers at /],
      [{ startedAt: '2030-01-01T00:00:00.000Z' }, /another server answers at /],
      [{ pid: process.ppid }, /another server answers at /],
      [{ control: `${stranger.origin}/_control` }, /another server answers at /],
      // The directory was copied while its server ran.
      [{}, new RegExp(`runs on ${data}$`)],
      [{ control: `${free.url}/_control` }, /nothing answers at http:\/\/127/],
      [{ pid: 'x' }, /is not a server's file$/],
    ];
    for (const [change, message] of stale) {
      const other = temporaryDirectory();
      writeFileSync(join(other, 'server.json'), JSON.stringify({ ...file, ...change }), { mode: 0o600 });
      const ended = await runCli(['local', 'status', '--data', other, '-o', 'json']);
      expect(ended.code).toBe(3);
      expect(errorOf(ended)).toMatchObject({ code: 'config', message: expect.stringMatching(message) });
      expect((await runCli(['local', 'reset', '--yes', '--data', other])).code).toBe(3);
    }
    expect(await steered.server.control.keys.list()).toContainEqual(expect.objectContaining({ id }));
    const none = await runCli(['local', 'status', '-o', 'json']);
    expect(errorOf(none)).toMatchObject({ code: 'config', hint: expect.stringContaining('orgctl serve') });
  });
});
