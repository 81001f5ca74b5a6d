import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyEnvironment, errorOf, runCli, withProfileFile } from '../support/run-cli.js';
import { useService } from '../support/service.js';

const service = useService({ http: false });
const secret = 's'.repeat(64);
const place = ['--base-url', 'https://api.example.com/v1', '--key-id', 'key_abc'];

/** The options of a profile of the real service. */
function here(): string[] {
  const { url, keyId, caFile } = service.server;
  return ['--base-url', url, '--key-id', keyId, '--ca-file', String(caFile)];
}

function addStored(env: Record<string, string | undefined>, name = 'prod', args: readonly string[] = []) {
  return runCli(['profile', 'add', name, ...place, '--secret-stdin', '--no-verify', ...args], {
    env,
    stdin: `${secret}\n`,
  });
}

describe('profile add', () => {
  it.each([
    'teams create --name x',
    'teams create --file -',
    'teams delete q1 --yes',
    'teams delete q1 q2 --yes',
    'connections update q1 q2 --host db',
    'api-keys create --name x',
    'api-keys rotate --yes',
  ])('refuses changes with a read-only profile, before anything is sent or printed: %s', async (line) => {
    const { server } = service;
    const env = emptyEnvironment();
    const args = ['profile', 'add', 'ro', ...here(), '--secret-stdin', '--read-only'];
    await runCli(args, { env, stdin: server.secret });
    expect((await runCli(['quotas'], { env })).code).toBe(0);
    const before = await server.control.journal.count({});
    const ended = await runCli([...line.split(' '), '-o', 'json'], { env, stdin: '{"name": "x"}' });
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(errorOf(ended)).toMatchObject({
      code: 'config',
      message: 'this profile is read-only; nothing was changed',
      hint: 'use another profile for changes: --profile NAME',
    });
    expect(await server.control.journal.count({})).toBe(before);
  });
});

describe('ORGCTL_READ_ONLY', () => {
  const reader = { baseUrl: 'https://api.example.com', keyId: 'key_a', secret, readOnly: true };
  const profiles = { reader, writer: { ...reader, readOnly: false } };
  const run = (line: string, ORGCTL_READ_ONLY: string) => {
    const env = { ...withProfileFile({ version: 1, current: 'writer', profiles }), ORGCTL_READ_ONLY };
    return runCli([...line.split(' '), '-o', 'json'], { env });
  };

  it.each(['teams create --name x', 'request DELETE /teams/1', 'teams delete team_1 --yes -p writer'])(
    'refuses changes, whatever the profile: %s',
    async (line) => {
      const ended = await run(line, '1');
      expect(ended).toMatchObject({ code: 3, stdout: '' });
      expect(errorOf(ended)).toMatchObject({
        message: 'ORGCTL_READ_ONLY is set; nothing was changed',
        hint: 'to allow changes: unset ORGCTL_READ_ONLY',
      });
    },
  );

  it('with another value stops everything that it is for', async () => {
    const ended = await run('quotas', 'yes');
    expect(ended.code).toBe(3);
    expect(errorOf(ended)['message']).toBe('ORGCTL_READ_ONLY: "yes" is not 1 or 0');
  });
});

function storedIn(env: Record<string, string | undefined>) {
  return JSON.parse(readFileSync(join(String(env['ORGCTL_CONFIG_DIR']), 'profiles.json'), 'utf8')).profiles;
}

describe('profile set', () => {
  it.each([
    ['--secret-stdin', ''],
    ['--secret-stdin', '\n'],
    ['--secret-env EMPTY', ''],
  ])('and add take no empty secret: %s %j', async (source, stdin) => {
    const env = { ...emptyEnvironment(), EMPTY: '' };
    await addStored(env);
    const before = storedIn(env);
    for (const command of [`set prod ${source}`, `add other ${place.join(' ')} ${source}`]) {
      const ended = await runCli(['profile', ...command.split(' '), '--no-verify'], { env, stdin });
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('the secret is empty') });
    }
    expect(storedIn(env)).toEqual(before);
  });
});
