import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isPreset, presets } from '../../../src/api/dialect/presets.js';
import type { Env } from '../../support/organization.js';
import { runCli, temporaryDirectory, withProfileFile } from '../../support/run-cli.js';
import { type Service, useService } from '../../support/service.js';

const preset = Object.keys(presets).filter(isPreset);
// pinned.test.ts has what a profile may pin; here the dialect that differs most goes through every command so.
const cases = [
  // Every other test speaks the reference's.
  ...preset
    .filter((name) => name !== 'reference')
    .map((name) => ({ name, how: 'recognised', isPinned: false })),
  { name: 'camel' as const, how: 'pinned', isPinned: true },
];
const age = expect.stringMatching(/^\d+s$/);
const table = (text: string) => text.split('\n').map((line) => line.split(/ {2,}/));

const teams = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `team-${at}` }));
const quotas = { connections: 500, teams: 500, 'api-keys': 50 };

function fileOf(rows: unknown): string {
  const path = join(temporaryDirectory(), 'rows.json');
  writeFileSync(path, JSON.stringify(rows));
  return path;
}

/** An environment in which a profile alone says which service, and which dialect. */
function pinnedEnvironment({ server }: Service, dialect: string): Env {
  const { url: baseUrl, keyId, secret, caFile } = server;
  const profile = { baseUrl, keyId, secret, ...(caFile !== undefined && { caFile }), dialect };
  return withProfileFile({ version: 1, current: 'main', profiles: { main: profile } });
}

describe.each(cases)('a service with the dialect $name, $how', ({ name: dialect, isPinned }) => {
  const service = useService({ dialect, quotas });
  let env: Env = {};
  const environmentOf = (service: Service) =>
    isPinned ? pinnedEnvironment(service, dialect) : service.environment();
  const fresh = async () => {
    await service.server.control.reset();
    env = environmentOf(service);
  };
  const run = async (...args: readonly string[]) => {
    const ended = await runCli(args, { env });
    expect({ args, code: ended.code, stderr: ended.stderr }).toMatchObject({ args, code: 0 });
    return ended;
  };
  const json = async (...args: readonly string[]) => JSON.parse((await run(...args, '-o', 'json')).stdout);

  it('creates, lists, shows, changes and deletes by name and by ID, and tells the quotas', async () => {
    await fresh();
    await run('teams', 'create', '--file', fileOf(teams(2)), '-q');
    const made = await json('teams', 'create', '--name', 'platform');
    expect(await json('teams', 'list', '--all', '--limit', '2')).toHaveLength(3);
    const [row] = table((await run('teams', 'list', '--name', 'plat*', '--no-headers')).stdout);
    expect(row).toEqual([String(made.id), 'platform', age, age]);
    expect(await json('teams', 'get', 'platform')).toEqual(made);
    expect(await json('teams', 'get', String(made.id))).toEqual(made);
    const changed = { name: 'core', id: made.id };
    expect(await json('teams', 'update', 'platform', '--name', 'core')).toMatchObject(changed);
    expect(await json('quotas')).toMatchObject({ teams: { limit: 500, used: 3, remaining: 497 } });
    const deleted = { id: String(made.id), result: 'deleted' };
    expect(await json('teams', 'delete', 'core', '--yes')).toEqual(deleted);
    expect(await json('teams', 'delete', 'team-0', 'team-1', '--yes')).toHaveLength(2);
    expect(await json('teams', 'list')).toEqual([]);
    expect((await runCli(['teams', 'get', 'core'], { env })).code).toBe(6);
    expect((await runCli(['doctor'], { env })).code).toBe(0);
    service.server.control.quotas.set({ teams: 0 });
    const full = await runCli(['teams', 'create', '--name', 'more', '-o', 'json'], { env });
    expect(full.code).toBe(7);
    expect(JSON.parse(full.stderr).error).toMatchObject({ quota: { kind: 'teams', limit: 0, used: 0 } });
  });

  it('shows the secret of a new key, disables and deletes keys, and rotates that of a profile', async () => {
    await fresh();
    const key = await json('api-keys', 'create', '--name', 'ci');
    const asKey = { ...service.environment(), ORGCTL_KEY_ID: key.id, ORGCTL_SECRET: key.secret };
    expect((await runCli(['quotas'], { env: asKey })).code).toBe(0);
    const [row] = table((await run('api-keys', 'list', '--no-headers', '--name', 'ci')).stdout);
    expect(row).toEqual([key.id, 'ci', 'true', age, age]);
    expect(await json('api-keys', 'list', '--unused-for', '1h')).toEqual([]);
    expect(await json('api-keys', 'disable', 'ci')).toMatchObject({ enabled: false });
    expect(await json('api-keys', 'list', '--disabled')).toMatchObject([{ name: 'ci' }]);
    expect((await runCli(['quotas'], { env: asKey })).code).toBe(5);
    await run('api-keys', 'delete', 'ci', '--yes');

    const own = { ...pinnedEnvironment(service, dialect) };
    const creating = ['api-keys', 'create', '--name', 'old', '--save-profile', 'p', '-o', 'json'];
    const old = JSON.parse((await runCli(creating, { env: own })).stdout);
    const shown = await runCli(['profile', 'show', 'p', '--query', 'dialect', '-r'], { env: own });
    expect(shown.stdout).toBe(`${dialect}\n`);
    const ended = await runCli(['api-keys', 'rotate', '-p', 'p', '-o', 'json'], { env: own });
    expect(JSON.parse(ended.stdout)).toMatchObject({ replaced: old.id, oldKeyDeleted: true });
    expect((await runCli(['quotas', '-p', 'p'], { env: own })).code).toBe(0);
    const ids = (await json('api-keys', 'list', '--all')).map(({ id }: { id: string }) => id);
    expect(ids).toHaveLength(2);
    expect(ids).not.toContain(old.id);
  });
});
