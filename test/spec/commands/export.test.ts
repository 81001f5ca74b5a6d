import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { httpAnswer } from '../../support/hostile-peer.js';
import { organization } from '../../support/organization.js';
import { type Ended, runCli, temporaryDirectory } from '../../support/run-cli.js';
import { useService } from '../../support/service.js';
import { pageAnswer, scriptedService } from '../support/scripted-service.js';

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

  it.each(['postgresql', 'mysql'])(
    'has no reference but its own, and nothing of it is run: %s',
    async (type) => {
      const { peer, env } = await foreign([connection({ ...harmless, ...traps }, { type })]);
      const ended = await runCli(['export'], { env });
      expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('diff and apply refuse') });
      expect(ended.stdout).not.toMatch(/^ *(command|file): [^\n]/m);
      expect(ended.stdout).not.toContain('env: HOME');
      const variables = Object.fromEntries(
        [...ended.stdout.matchAll(/env: (\w+)/g)].map(([, name]) => [String(name), 'made']),
      );
      for (const args of ['diff -', 'apply - --yes', 'apply - --yes --set-secrets']) {
        const all = { ...env, PATH: '/usr/bin:/bin', ...variables };
        expect(await runCli(args.split(' '), { env: all, stdin: ended.stdout })).toMatchObject({ code: 2 });
      }
      expect(existsSync(ran)).toBe(false);
      expect(peer.requests.every(({ method }) => method === 'GET')).toBe(true);
    },
  );
});
