import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/index.js';
import { hostilePeer } from '../support/hostile-peer.js';
import { emptyEnvironment, errorOf, runCli, startCli, temporaryDirectory } from '../support/run-cli.js';
import { serviceEnvironment } from '../support/service.js';

const data = temporaryDirectory();
let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ data });
});
beforeEach(() => server.control.reset());
afterAll(() => server.close());

function local(line: string, options: Parameters<typeof runCli>[1] = {}) {
  return runCli(['local', ...line.split(' '), '--data', data], options);
}

/** The same as a value; it has to succeed. */
async function answered(line: string): Promise<unknown> {
  const { code, stdout, stderr } = await local(`${line} -o json`);
  expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' });
  return JSON.parse(stdout);
}

function orgctl(...args: string[]) {
  return runCli(args, { env: { ...emptyEnvironment(), ...serviceEnvironment(server) } });
}

describe('orgctl local', () => {
  it('shows what runs, in a block and as data', async () => {
    expect(await answered('status')).toMatchObject({
      url: server.url,
      data,
      pid: process.pid,
      keyId: server.keyId,
      clock: { offset: 0 },
      requests: { total: expect.any(Number) },
    });
    const { stdout } = await local('status');
    expect(stdout).toContain(`ADDRESS       ${server.url}\n`);
    expect(stdout).not.toContain(server.controlToken);
  });

  it('acts on no server that a profile or an address seems to choose', async () => {
    for (const option of [
      ['-p', 'other'],
      ['--base-url', server.url],
    ]) {
      const ended = await runCli(['local', 'reset', '--yes', ...option]);
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--data DIR') });
      expect(await runCli(['local', 'status', '--data', data, ...option])).toMatchObject({ code: 0 });
    }
  });

  it('shows keys with ages, and a disabled one in red', async () => {
    await answered(`keys disable ${server.keyId}`);
    const { stdout } = await local('keys list --color always');
    await answered(`keys enable ${server.keyId}`);
    expect(stdout).toContain('\u001b[31mfalse\u001b[39m');
    expect(stripVTControlCharacters(stdout)).toMatch(/ false {4}(?:-|\d+[smhd]) +\d+[smhd] /);
    expect((await local('keys list -o csv')).stdout).toMatch(/,\d{4}-\d\d-\d\dT/);
  });

  it('turns clock, faults and quotas', async () => {
    expect(await answered('clock advance 10m')).toMatchObject({ offset: 600_000 });
    await answered('clock set 2030-01-01T00:00:00Z');
    expect((await server.control.clock.get()).time).toMatch(/^2030-01-01/);
    expect(await answered('clock show')).toHaveProperty('offset', expect.any(Number));
    const set = await runCli(['local', 'faults', 'set', 'GET /teams=503x2', '--data', data, '-o', 'json']);
    expect(JSON.parse(set.stdout)).toEqual([{ rule: 'GET /teams=503x2', hits: 0, remaining: 2 }]);
    expect(await answered('faults list')).toHaveLength(1);
    expect((await local('faults clear')).stderr).toBe('all fault rules removed\n');
    expect(await server.control.faults.get()).toEqual([]);
    expect(await answered('quotas set teams=3 connections=0')).toMatchObject({
      teams: { limit: 3 },
      connections: { limit: 0 },
    });
    const wrong = await local('quotas set teams -o json');
    expect(wrong.code).toBe(2);
    expect(errorOf(wrong)).toMatchObject({ message: 'teams: not of the form kind=number' });
    const unknown = await local('quotas set team=3 -o json');
    expect(errorOf(unknown)).toMatchObject({ message: 'team=3: there is no kind "team"' });
  });

  it.each([
    [['faults', 'set', 'nonsense'], 'fault rule nonsense: not a fault rule'],
    [['faults', 'set', 'GET /quotas=999'], 'fault rule GET /quotas=999: 999 is not a status from 400 to 599'],
    [['stubs', 'set', 'nonsense'], 'stub nonsense: not a stub'],
    [['stubs', 'set', 'GET /teams=200 {x'], 'stub GET /teams: the text after the status is not JSON'],
    [['stubs', 'set', 'GET /teams=200', 'GET /teams=404'], 'stub GET /teams: duplicate stub'],
    [['clock', 'set', 'tomorrow'], 'The time must be ISO 8601'],
    [['clock', 'set', '9999-12-31T23:59:59-23:00'], 'The clock runs from 1970 to 9999'],
    [['clock', 'advance', 'soon'], 'The clock is advanced by a duration'],
    [['rate-limit', 'set', '9999999999/1m'], '9999999999/1m: at most 999999999 requests'],
    [['keys', 'issue', '--name', ''], 'name: must not be empty'],
  ])('a bad argument is a mistake in typing, whoever finds it: %j', async (args, message) => {
    const refused = await runCli(['local', ...args, '--data', data, '-o', 'json']);
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' });
    expect(errorOf(refused)).toMatchObject({ code: 'usage', message: expect.stringContaining(message) });
    expect(refused.stderr).not.toContain('`');
  });

  it('asks before it takes anything away', async () => {
    const named = (await local('snapshot')).stdout.trim();
    expect(named).toMatch(/^snapshot_\d+$/);
    await orgctl('teams', 'create', '--name', 'a');
    for (const line of ['reset', `restore ${named}`, `keys revoke ${server.keyId}`]) {
      const refused = await local(`${line} -o json`);
      expect(refused.code).toBe(2);
      expect(errorOf(refused)).toMatchObject({ hint: 'pass --yes' });
      const { code, stderr } = await local(line, { isTTY: true, stdin: 'n\r' });
      expect({ line, code }).toEqual({ line, code: 130 });
      expect(stderr).toContain('nothing was done');
    }
    expect((await orgctl('teams', 'list')).stdout).toContain('a');
    expect(await local(`restore ${named} --yes`)).toMatchObject({ code: 0 });
    expect((await orgctl('teams', 'list', '-o', 'json')).stdout).toBe('[]\n');
    expect(await local('reset --yes')).toMatchObject({ code: 0 });
    const unknown = await local('restore before --color never', { isTTY: true });
    expect(unknown).toMatchObject({ code: 6, stdout: '' });
    expect(unknown.stderr).toBe(
      `error: there is no snapshot "before"\nhint: orgctl local snapshot list --data ${data}\n`,
    );
  });

  it('walks from a disabled key to one that works, by what the messages say', async () => {
    const { keyId } = server;
    await local(`keys disable ${keyId}`);
    const refused = await orgctl('teams', 'list', '-o', 'json');
    expect(refused.code).toBe(5);
    const command = `orgctl local keys enable ${keyId}`;
    expect(errorOf(refused)['hint']).toContain(command);
    expect((await local('logs --refused --limit 1')).stdout).toContain(command);
    const known = await orgctl('api-keys', 'enable', keyId, '-o', 'json');
    expect(known.code).toBe(2);
    expect(errorOf(known)['hint']).toContain(command);
    expect(errorOf(known)['hint']).not.toContain('Did you mean');
    expect(await answered(`keys enable ${keyId}`)).toMatchObject({ id: keyId, enabled: true });
    expect((await orgctl('teams', 'list')).code).toBe(0);
  });

  it('moves the clock back without --, and resets it', async () => {
    expect(await answered('clock advance -20m')).toMatchObject({ offset: -1_200_000 });
    const { offset } = await server.control.clock.get();
    expect(await answered('clock reset')).toMatchObject({ offset: 0 });
    expect(offset).toBe(-1_200_000);
    const typo = await local('clock advance --by -o json');
    expect(errorOf(typo)).toMatchObject({ code: 'usage', message: "unknown option '--by'" });
  });

  it('sets the rate limit and removes it', async () => {
    expect((await local('rate-limit show')).stderr).toBe('no rate limit\n');
    expect(await answered('rate-limit show')).toBe(null);
    expect(await answered('rate-limit set 3/10s')).toEqual({ requests: 3, window: 10_000 });
    expect((await local('rate-limit show')).stdout).toBe('REQUESTS  WINDOW\n       3  10s\n');
    expect((await local('rate-limit clear')).stderr).toBe('rate limit removed\n');
    expect(await server.control.rateLimit.get()).toBe(undefined);
    const wrong: readonly (readonly [string, string])[] = [
      ['many', 'many: must be requests/duration, both above 0'],
      ['100/0s', '100/0s: must be requests/duration, both above 0'],
      ['0/1m', '0/1m: must be requests/duration, both above 0'],
      ['1000000000000000/1m', '1000000000000000/1m: at most 999999999 requests'],
      ['1/25d', '1/25d: at most 24d'],
    ];
    for (const [limit, message] of wrong) {
      expect(errorOf(await local(`rate-limit set ${limit} -o json`))).toMatchObject({
        code: 'usage',
        message,
      });
    }
  });

  it('lists snapshots', async () => {
    const named = (await local('snapshot')).stdout.trim();
    const listed = await answered('snapshot list');
    expect(listed).toContainEqual({ snapshot: named, time: expect.stringMatching(/^\d{4}-/) });
    const before = await runCli(['local', 'snapshot', '--data', data, 'list', '-o', 'json']);
    expect(JSON.parse(before.stdout)).toEqual(listed);
  });

  it('takes names and the beginnings of IDs for keys', async () => {
    const issue = async (name: string) => {
      const { stdout } = await local(`keys issue --name ${name} -o json`);
      const { id }: { id: string } = JSON.parse(stdout);
      return id;
    };
    const id = await issue('worker');
    const twins = [await issue('twin'), await issue('twin')];
    const { organization } = server;
    expect(await answered('keys disable worker')).toMatchObject({ id, enabled: false, organization });
    const enabled = await answered(`keys enable ${id.slice(0, 14)}`);
    expect(enabled).toMatchObject({ id, enabled: true, organization });
    expect(await local('keys revoke worker --yes')).toMatchObject({ code: 0, stderr: `${id} revoked\n` });
    expect((await local(`keys enable ${twins[0]?.slice(0, 6)}`)).code).toBe(6);
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
    const env = Object.fromEntries(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    expect(env).toMatchObject({ ORGCTL_KEY_ID: server.keyId, ORGCTL_SECRET: server.secret });
    expect((await runCli(['quotas'], { env: { ...emptyEnvironment(), ...env } })).code).toBe(0);
  });

  it('waits for a server, and does not stop one that only its program may stop', async () => {
    expect(await local('wait')).toMatchObject({ code: 0, stdout: `${server.url}\n` });
    const empty = temporaryDirectory();
    const none = await runCli(['local', 'wait', '--data', empty, '--deadline', '1ms']);
    expect(none).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`no running server found in ${empty}`),
    });
    expect((await local('stop')).code).toBe(6);
    expect((await local('status')).code).toBe(0);
  });

  it('leads out of a damaged file of a running server, by the command in the hint', async () => {
    writeFileSync(join(data, 'server.json'), '{"url":');
    const damaged = await local('status -o json');
    const { next } = errorOf(damaged);
    expect(next).toEqual(['orgctl', 'local', 'wait', '--data', data]);
    expect((await runCli((next as string[]).slice(1))).code).toBe(0);
    expect((await local('status')).code).toBe(0);
  });
});

describe('tables of orgctl local', () => {
  it('of 80 columns have the state of a key, and not the organization in its place', async () => {
    const { stdout, stderr } = await local('keys list --color never', { isTTY: true, columns: 80 });
    expect(stdout.split('\n')[0]?.trim().split(/ {2,}/)).toEqual([
      'ID',
      'NAME',
      'ENABLED',
      'LAST USED',
      'CREATED',
    ]);
    expect(stderr).toBe('no room for ORGANIZATION; all columns: -o wide\n');
  });

  it('say how far the clock is off', async () => {
    expect((await local('clock show')).stdout).toMatch(/^TIME +OFFSET\n\S+ +none\n$/);
    expect((await local('clock advance 90s')).stdout).toMatch(/ +90s ahead\n$/);
    expect((await local('status')).stdout).toMatch(/^CLOCK +\S+Z \(offset: 90s ahead\)$/m);
    expect((await local('clock reset')).code).toBe(0);
  });
});

describe('what orgctl local finds', () => {
  it('is a server of the environment, of this machine alone', async () => {
    const env = {
      ...emptyEnvironment(),
      ORGCTL_CONTROL_URL: `${server.url}/_control`,
      ORGCTL_CONTROL_TOKEN: server.controlToken,
      ORGCTL_CA_FILE: server.caFile,
    };
    expect(await runCli(['local', 'clock', 'show'], { env })).toMatchObject({ code: 0 });
    for (const change of [
      { ORGCTL_CONTROL_TOKEN: undefined },
      { ORGCTL_CONTROL_URL: undefined },
      { ORGCTL_CONTROL_URL: 'https://service.example/_control' },
    ]) {
      expect((await runCli(['local', 'clock', 'show'], { env: { ...env, ...change } })).code).toBe(3);
    }
    const other = { ...env, ORGCTL_CONTROL_TOKEN: 'other' };
    expect((await runCli(['local', 'clock', 'show'], { env: other })).code).toBe(4);
  });

  it('is no server that is gone, and no other in its place', async () => {
    const file = JSON.parse(readFileSync(join(data, 'server.json'), 'utf8'));
    const free = await startServer({ http: true });
    await free.close();
    const body = '{"anything":"goes"}';
    const stranger = await hostilePeer(
      () => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    const { id } = await server.control.keys.issue({ name: 'kept' });
    const stale: [object, RegExp][] = [
      [{ pid: 2 ** 22 + 1 }, /no longer runs$/],
      [{ token: 'other' }, /another server answers at /],
      [{ startedAt: '2030-01-01T00:00:00.000Z' }, /another server answers at /],
      [{ pid: process.ppid }, /another server answers at /],
      [{ control: `${stranger.origin}/_control` }, /another server answers at /],
      [{ database: 'postgres://h/d' }, /has its data in /],
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
    expect(await server.control.keys.list()).toContainEqual(expect.objectContaining({ id }));
    const none = await runCli(['local', 'status', '-o', 'json']);
    expect(errorOf(none)).toMatchObject({ code: 'config', hint: expect.stringContaining('orgctl serve') });
    const open = temporaryDirectory();
    writeFileSync(join(open, 'server.json'), JSON.stringify(file));
    chmodSync(join(open, 'server.json'), 0o644);
    expect((await runCli(['local', 'status', '--data', open])).stderr).toContain('chmod 600');
  });
});

describe('what orgctl local asks', () => {
  it('names the server whose data would be lost', async () => {
    const { system, ended } = startCli(['local', 'reset', '--data', data], { isTTY: true, columns: 500 });
    const question = `Delete all data of the server at ${server.url}, which has its data in ${data}?`;
    await expect.poll(() => system.stderrText()).toContain(question);
    system.type('n\n');
    expect((await ended).stderr).toContain('nothing was done');
  });
});
