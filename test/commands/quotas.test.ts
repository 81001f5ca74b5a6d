import { describe, expect, it } from 'vitest';
import { type Behaviour, hostilePeer, httpAnswer } from '../support/hostile-peer.js';
import { emptyEnvironment, errorOf, runCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';

const service = useService({ quotas: { 'api-keys': 5, connections: 4, teams: 3 } });
const secret = 'a'.repeat(64);

function quotas(args: readonly string[] = [], env = service.environment()) {
  return runCli(['quotas', ...args], { env });
}

/** A quota record in the envelope of the reference, as bytes on the wire. */
function answerOf(record: unknown): string {
  return httpAnswer(200, { data: [record], total: 1, page: 1, limit: 20, pages: 1 });
}

async function quotasOf(record: unknown, args: readonly string[] = []) {
  const behave: Behaviour = () => answerOf(record);
  const { origin } = await hostilePeer(behave);
  return quotas(args, {
    ...emptyEnvironment(),
    ORGCTL_BASE_URL: origin,
    ORGCTL_KEY_ID: 'key_a',
    ORGCTL_SECRET: secret,
  });
}

const quota = (limit: number, used: number) => ({ limit, used, remaining: limit - used });

describe('quotas', () => {
  it('shows the fullest kind first, with a bar and percent', async () => {
    const ended = await quotas();
    expect(ended).toEqual({
      code: 0,
      stdout: [
        'KIND         LIMIT  USED  REMAINING  USAGE',
        'api-keys         5     1          4  ████░░░░░░░░░░░░░░░░  20%',
        'connections      4     0          4  ░░░░░░░░░░░░░░░░░░░░   0%',
        'teams            3     0          3  ░░░░░░░░░░░░░░░░░░░░   0%',
        '',
      ].join('\n'),
      stderr: '',
    });
  });

  it('is the record of the service as JSON, and plain figures as CSV', async () => {
    const record = { 'api-keys': quota(5, 1), connections: quota(4, 0), teams: quota(3, 0) };
    expect(JSON.parse((await quotas(['-o', 'json'])).stdout)).toEqual(record);
    expect((await quotas(['-o', 'csv'])).stdout).toBe(
      'kind,limit,used,remaining,usage\napi-keys,5,1,4,20\nconnections,4,0,4,0\nteams,3,0,3,0\n',
    );
  });

  it('is green, from 80 percent on yellow and from 100 on red', async () => {
    const [green, yellow, red] = [32, 33, 31];
    const record = { a: quota(10, 10), b: quota(1000, 999), c: quota(10, 8), d: quota(1000, 799) };
    const { stdout } = await quotasOf(record, ['--color', 'always', '--no-headers']);
    const colours = stdout
      .trimEnd()
      .split('\n')
      .map((line) => [green, yellow, red].filter((code) => line.includes(`\u001b[${code}m`)));
    expect(colours).toEqual([[red], [yellow], [yellow], [green]]);
  });

  it('shows every use, with what is over its limit before what is full', async () => {
    const record = {
      full: quota(0, 0),
      'over 0': quota(0, 2),
      over: quota(10, 12),
      nearly: quota(1000, 999),
      // Floating point makes less of it.
      some: quota(100, 29),
      negative: quota(10, -1),
    };
    const { stdout } = await quotasOf(record, ['--no-headers']);
    expect(stdout.split('\n').map((line) => line.trim().replaceAll(/ {2,}/g, '  '))).toEqual([
      'over 0  0  2  -2  ████████████████████ over',
      'over  10  12  -2  ████████████████████ 120%',
      'full  0  0  0  ████████████████████ 100%',
      'nearly  1000  999  1  ███████████████████░  99%',
      'some  100  29  71  █████░░░░░░░░░░░░░░░  29%',
      'negative  10  -1  11  ░░░░░░░░░░░░░░░░░░░░ -10%',
      '',
    ]);
  });

  it('passes kinds and fields through that the service adds', async () => {
    const record = { seats: { ...quota(2, 1), kind: 'x', unit: 'person' } };
    expect(JSON.parse((await quotasOf(record, ['-o', 'json'])).stdout)).toEqual(record);
    const { stdout } = await quotasOf(record, ['-o', 'table', '--query', '@', '--columns', 'kind,unit']);
    expect(stdout).toBe('KIND   UNIT\nseats  person\n');
  });

  it('is an error when there are none', async () => {
    expect(await quotasOf({})).toMatchObject({
      code: 10,
      stdout: '',
      stderr: expect.stringContaining('looked for a quota record'),
    });
  });
});

describe('quotas --kind', () => {
  it('shows one kind alone, also one that only the service knows', async () => {
    const record = { seats: quota(2, 1), teams: quota(3, 0) };
    const ended = await quotasOf(record, ['--kind', 'seats', '-o', 'json']);
    expect(JSON.parse(ended.stdout)).toEqual({ seats: quota(2, 1) });
  });

  it.each(['team', 'constructor', ''])('names the kinds for one that there is not: %j', async (kind) => {
    const ended = await quotas(['--kind', kind, '-o', 'json']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(errorOf(ended)).toMatchObject({ hint: expect.stringContaining('api-keys, connections, teams') });
  });
});

describe('quotas --fail-over', () => {
  it.each(['20%', '19.99', '0'])('exits 13 after the data at or over %s', async (percent) => {
    const ended = await quotas(['--kind', 'api-keys', '--fail-over', percent, '-o', 'json']);
    expect(ended.code).toBe(13);
    expect(JSON.parse(ended.stdout)).toEqual({ 'api-keys': quota(5, 1) });
    expect(errorOf(ended)).toMatchObject({
      code: 'threshold',
      exitCode: 13,
      message: expect.stringContaining('api-keys 1/5'),
      quota: { kind: 'api-keys', limit: 5, used: 1 },
    });
  });

  it('exits 0 below it, and looks at the shown kind alone', async () => {
    expect((await quotas(['--fail-over', '20.01'])).code).toBe(0);
    expect((await quotas(['--kind', 'teams', '--fail-over', '20'])).code).toBe(0);
  });

  it.each(['', '-1', '9e1', '90%%', '0x10', 'Infinity'])('refuses %j before it reads', async (percent) => {
    const { origin, requests } = await hostilePeer(() => answerOf({}));
    const env = service.environment({ ORGCTL_BASE_URL: origin });
    const ended = await quotas([`--fail-over=${percent}`], env);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(requests).toEqual([]);
  });
});

describe('quotas --all-profiles', () => {
  async function addProfile(env: Record<string, string | undefined>, name: string, args: readonly string[]) {
    const ended = await runCli(['profile', 'add', name, '--no-verify', '--secret-env', 'S', ...args], {
      env,
    });
    expect(ended.stderr + ended.code).toMatch(/0$/);
  }

  /** Profiles `prod` and `b`, of which the key of `b` is unknown, and variables that fit neither. */
  async function twoProfiles() {
    const { server } = service;
    const env: Record<string, string> = { ...emptyEnvironment(), S: server.secret };
    const place = ['--base-url', server.url, '--ca-file', server.caFile ?? ''];
    await addProfile(env, 'prod', [...place, '--key-id', server.keyId]);
    await addProfile(env, 'b', [...place, '--key-id', 'key_unknown']);
    return {
      ORGCTL_CONFIG_DIR: env['ORGCTL_CONFIG_DIR'],
      ORGCTL_SECRET: 'f'.repeat(64),
      ORGCTL_KEY_ID: 'key_other',
      ORGCTL_BASE_URL: 'https://other.invalid',
      ORGCTL_CA_FILE: '/nowhere',
      ORGCTL_AUTH: 'basic',
      ORGCTL_PROFILE: 'nobody',
    };
  }

  it('shows a group for each, failed ones as a row, and exits 12', async () => {
    const ended = await quotas(['--all-profiles'], await twoProfiles());
    expect(ended.code).toBe(12);
    expect(ended.stdout).toBe(
      [
        'PROFILE  KIND         LIMIT  USED  REMAINING  USAGE                      ERROR',
        'prod     api-keys         5     1          4  ████░░░░░░░░░░░░░░░░  20%  -',
        'prod     connections      4     0          4  ░░░░░░░░░░░░░░░░░░░░   0%  -',
        'prod     teams            3     0          3  ░░░░░░░░░░░░░░░░░░░░   0%  -',
        'b        -                -     -          -  -                          unauthenticated: Invalid API key',
        '',
      ].join('\n'),
    );
    expect(ended.stderr).toContain('orgctl doctor --profile b');
  });

  it('is an object keyed by profile as JSON', async () => {
    const ended = await quotas(['--all-profiles', '--kind', 'teams', '-o', 'json'], await twoProfiles());
    expect(JSON.parse(ended.stdout)).toEqual({
      prod: { teams: quota(3, 0) },
      b: { error: expect.objectContaining({ code: 'unauthenticated', status: 401, exitCode: 4 }) },
    });
    expect(errorOf(ended)).toMatchObject({ code: 'partial', exitCode: 12 });
  });

  it('exits 0 without a column of errors when all could be read, whose secret commands see no key', async () => {
    const { server } = service;
    const env = { ...process.env, ...emptyEnvironment(), ORGCTL_SECRET: 'f'.repeat(64), S: server.secret };
    const print = `node -p "process.env.ORGCTL_SECRET ?? process.env.S"`;
    const place = ['--base-url', server.url, '--ca-file', server.caFile ?? '', '--key-id', server.keyId];
    const add = ['profile', 'add', 'c', '--no-verify', ...place, '--secret-command', print];
    expect((await runCli(add, { env })).code).toBe(0);
    const ended = await quotas(['--all-profiles'], env);
    expect(ended).toMatchObject({ code: 0, stderr: '', stdout: expect.not.stringContaining('ERROR') });
  });

  it('keeps the order of the profiles, however long each takes', async () => {
    const waiting: (() => void)[] = [];
    const { origin } = await hostilePeer((_request, socket, nth) => {
      const send = () => socket.write(answerOf({ teams: quota(10, nth) }));
      // None is answered before all have asked, and the last one is answered first.
      waiting.unshift(send);
      if (waiting.length === 3) for (const each of waiting) each();
    });
    const env = { ...emptyEnvironment(), S: secret };
    for (const name of ['zeta', 'alpha', 'mid']) {
      await addProfile(env, name, ['--base-url', origin, '--key-id', 'key_a']);
    }
    const ended = await quotas(['--all-profiles', '--columns', 'profile', '-o', 'csv'], env);
    expect(ended.stdout).toBe('profile\nzeta\nalpha\nmid\n');
  });

  it('prefers a threshold that is reached to a profile that failed', async () => {
    const ended = await quotas(['--all-profiles', '--fail-over', '20', '-o', 'json'], await twoProfiles());
    const message = expect.stringContaining('prod: api-keys 1/5');
    expect(errorOf(ended)).toMatchObject({ exitCode: 13, message });
  });

  it('applies --timeout to every profile', async () => {
    const peer = await hostilePeer(() => undefined);
    const env = { ...emptyEnvironment(), S: secret };
    await addProfile(env, 'a', ['--base-url', peer.origin, '--key-id', 'key_a', '--timeout', '1h']);
    const ended = await quotas(['--all-profiles', '--timeout', '20ms', '--retries', '0', '-o', 'json'], env);
    const error = expect.objectContaining({ code: 'network', exitCode: 9 });
    expect(JSON.parse(ended.stdout)).toEqual({ a: { error } });
  });

  it('needs a profile', async () => {
    const ended = await quotas(['--all-profiles'], service.environment());
    expect(ended).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('profile add') });
  });

  it.each([
    ['--profile', 'prod'],
    ['--base-url', 'https://a.example'],
    ['--key-id', 'key_a'],
    ['--auth', 'basic'],
    ['--ca-file', 'ca.pem'],
  ])('excludes %s', async (...flags) => {
    const ended = await quotas(['--all-profiles', ...flags], await twoProfiles());
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(flags[0]) });
  });
});
