import { describe, expect, it } from 'vitest';
import { hostilePeer, httpAnswer, type Peer, scriptedPeer } from '../support/hostile-peer.js';
import { errorOf, runCli, withProfileFile } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { environmentOf } from './support/doctor.js';

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
  const { origin } = await hostilePeer(() => answerOf(record));
  return quotas(args, environmentOf(origin));
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
});

it('quotas keep every figure on a narrow terminal, and the bar gives way', async () => {
  const { origin } = await hostilePeer(() => answerOf({ connections: quota(10, 3), teams: quota(20, 25) }));
  const shown = async (columns: number) => {
    const env = environmentOf(origin, { NO_COLOR: '1' });
    return (await runCli(['quotas'], { env, isTTY: true, columns })).stdout.split('\n');
  };
  const lines = await shown(42);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(42);
  expect(lines.map((line) => line.trim().split(/\s+/))).toEqual([
    ['KIND', 'LIMIT', 'USED', 'REMAINING', 'USAGE'],
    ['teams', '20', '25', '-5', '125%'],
    ['connections', '10', '3', '7', '30%'],
    [''],
  ]);
  expect((await shown(60))[2]).toMatch(/█████░{13} {2}30%$/);
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
  /** Profiles `prod` and `b`, of which the key of `b` is unknown, and variables that fit neither. */
  function twoProfiles() {
    const { url: baseUrl, keyId, secret, caFile } = service.server;
    const prod = { baseUrl, keyId, secret, caFile };
    return {
      ...withProfileFile({ version: 1, profiles: { prod, b: { ...prod, keyId: 'key_unknown' } } }),
      ORGCTL_SECRET: 'f'.repeat(64),
      ORGCTL_KEY_ID: 'key_other',
      ORGCTL_BASE_URL: 'https://other.invalid',
      ORGCTL_AUTH: 'basic',
      ORGCTL_PROFILE: 'nobody',
    };
  }

  it('shows a group for each, failed ones as a row, and exits 12', async () => {
    const ended = await quotas(['--all-profiles'], twoProfiles());
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
    const ended = await quotas(['--all-profiles', '--kind', 'teams', '-o', 'json'], twoProfiles());
    expect(JSON.parse(ended.stdout)).toEqual({
      prod: { teams: quota(3, 0) },
      b: { error: expect.objectContaining({ code: 'unauthenticated', status: 401, exitCode: 4 }) },
    });
    const message = '1 of 2 profiles could not be read: b';
    expect(errorOf(ended)).toMatchObject({ code: 'partial', exitCode: 12, message });
  });

  it('prefers a threshold that is reached to a profile that failed', async () => {
    const ended = await quotas(['--all-profiles', '--fail-over', '20', '-o', 'json'], twoProfiles());
    const message = expect.stringContaining('prod: api-keys 1/5');
    expect(errorOf(ended)).toMatchObject({ exitCode: 13, message });
  });

  it('suggests the list of the fullest kind, whichever profile has it', async () => {
    const half = httpAnswer(200, { data: [{ teams: { limit: 2, used: 1, remaining: 1 } }] });
    const full = httpAnswer(200, { data: [{ 'api-keys': { limit: 2, used: 2, remaining: 0 } }] });
    const profiles = { a: await scriptedPeer([half]), z: await scriptedPeer([full]) };
    const toProfile = ({ origin: baseUrl }: Peer) => ({ baseUrl, keyId: 'key_a', secret });
    const env = withProfileFile({
      version: 1,
      profiles: { a: toProfile(profiles.a), z: toProfile(profiles.z) },
    });
    const ended = await quotas(['--all-profiles', '--fail-over', '50', '-o', 'json'], env);
    expect(errorOf(ended)).toMatchObject({
      hint: 'list the fullest kind: orgctl api-keys list --all -p z',
      quota: { kind: 'api-keys' },
    });
  });

  it('applies --timeout to every profile', async () => {
    const { origin: baseUrl } = await hostilePeer(() => undefined);
    const env = withProfileFile({
      version: 1,
      profiles: { a: { baseUrl, keyId: 'key_a', secret, timeout: '1h' } },
    });
    const ended = await quotas(['--all-profiles', '--timeout', '20ms', '--retries', '0', '-o', 'json'], env);
    expect(JSON.parse(ended.stdout)).toMatchObject({ a: { error: { code: 'network', exitCode: 9 } } });
  });

  it('runs secret commands without the secret of the environment', async () => {
    const { url: baseUrl, keyId, secret: S, caFile } = service.server;
    const secretCommand = `node -p "process.env.ORGCTL_SECRET ?? process.env.S"`;
    const own = withProfileFile({ version: 1, profiles: { c: { baseUrl, keyId, caFile, secretCommand } } });
    const env = { ...process.env, ...own, ORGCTL_SECRET: 'f'.repeat(64), S };
    expect(await quotas(['--all-profiles'], env)).toMatchObject({ code: 0, stderr: '' });
  });

  it('needs a profile', async () => {
    const ended = await quotas(['--all-profiles'], service.environment());
    expect(ended).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('profile add') });
  });
});
