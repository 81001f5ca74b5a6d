import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/index.js';
import { execute, useDatabase } from '../support/databases.js';
import { emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';
import { serviceEnvironment } from '../support/service.js';

// What each released version left on disk, by its own build: test/fixtures/README.md.

const fixtures = join(import.meta.dirname, '..', 'fixtures');
const versions = readdirSync(fixtures).filter((name) => /^\d/.test(name));
const isEmbedded = inject('engine') === 'embedded';
const database = isEmbedded ? undefined : useDatabase();
const secret = 'f'.repeat(64);

/** A data directory of that version, of this test's own. */
function dataOf(version: string): string {
  const data = join(temporaryDirectory(), 'data');
  cpSync(join(fixtures, version, 'data'), data, { recursive: true });
  // Git keeps no modes.
  chmodSync(data, 0o700);
  for (const name of readdirSync(data)) chmodSync(join(data, name), 0o600);
  return data;
}

/** The configuration of that version. */
function profilesOf(version: string): { env: Record<string, string>; path: string } {
  const directory = temporaryDirectory();
  const path = join(directory, 'profiles.json');
  copyFileSync(join(fixtures, version, 'profiles.json'), path);
  chmodSync(path, 0o600);
  return { env: { ...emptyEnvironment(), ORGCTL_CONFIG_DIR: directory }, path };
}

/** A server on what that version left. */
async function serverOn(version: string): Promise<RunningServer> {
  const server = await startServer(isEmbedded ? { data: dataOf(version) } : { ...(await sharedOf(version)) });
  onTestFinished(() => server.close());
  return server;
}

async function sharedOf(version: string): Promise<{ database: string; masterKey: string }> {
  const url = (await database?.fresh()) ?? '';
  await execute(url, readFileSync(join(fixtures, version, 'database.sql'), 'utf8'));
  return { database: url, masterKey: '42'.repeat(32) };
}

it('is there of the version that is being made, too', () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  expect(versions).toContain(version);
});

describe.each(versions)('the data of %s', (version) => {
  it('are served, every record of them, to the key that they have', async () => {
    const server = await serverOn(version);
    const env = { ...emptyEnvironment(), ...serviceEnvironment({ ...server, keyId: 'key_fixture', secret }) };
    const json = async (...args: string[]) =>
      JSON.parse((await runCli([...args, '-o', 'json'], { env })).stdout);
    expect(await json('teams', 'list', '--query', '[].name')).toEqual(['Älteste', 'ops']);
    expect(await json('connections', 'list')).toEqual([
      expect.objectContaining({
        name: 'orders',
        config: expect.objectContaining({ host: 'db.example.com', port: 5432 }),
      }),
    ]);
    expect(await json('api-keys', 'list', '--query', '[].{id: id, on: enabled}')).toEqual([
      { id: 'key_fixture', on: true },
      { id: expect.stringMatching(/^key_/), on: false },
    ]);
    expect(await json('quotas', '--query', 'teams')).toEqual({ limit: 7, used: 2, remaining: 5 });
    expect(await runCli(['teams', 'create', '--name', 'new'], { env })).toMatchObject({ code: 0 });
  });
});

describe.runIf(isEmbedded).each(versions)('the files of %s', (version) => {
  it('are whole, once they are those of this version', async () => {
    const data = dataOf(version);
    await (await startServer({ data })).close();
    expect(await runCli(['serve', 'check', '--data', data])).toMatchObject({ code: 0 });
  });

  it('go through a backup', async () => {
    const data = dataOf(version);
    const file = join(temporaryDirectory(), 'backup.db');
    expect(await runCli(['serve', 'backup', file, '--data', data])).toMatchObject({ code: 0 });
    expect(await runCli(['serve', 'restore', file, '--force', '--data', data])).toMatchObject({ code: 0 });
  });

  it('have profiles that are used as they were', async () => {
    const { env } = profilesOf(version);
    const { stdout } = await runCli(['profile', 'list', '-o', 'json'], { env });
    expect(JSON.parse(stdout)).toMatchObject([
      { name: 'prod', current: true, keyId: 'key_prod', readOnly: true },
      { name: 'asked', current: false, keyId: 'key_asked' },
    ]);
    const signed = await runCli(['sign', 'GET', '/quotas', '-p', 'asked', '--format', 'headers'], { env });
    expect(signed).toMatchObject({ code: 0, stdout: expect.stringContaining('key_asked') });
  });

  it('are refused and left as they are, if they say that they are newer', async () => {
    const data = dataOf(version);
    const path = join(data, 'orgctl.db');
    const newer = new Database(path);
    newer.exec('update schema_version set version = 99');
    newer.close();
    const before = digestOf(path);
    for (const args of [
      ['serve', '--data', data, '--', 'true'],
      ['serve', 'check', '--data', data],
      ['serve', 'restore', path, '--data', join(data, 'other')],
    ]) {
      const { code, stderr } = await runCli(args);
      expect([args[1], code, stderr]).toEqual([
        args[1],
        3,
        expect.stringMatching(/newer orgctl|supports versions up to/),
      ]);
      expect(digestOf(path)).toBe(before);
    }
  });
});

/** Of all but the header, in which SQLite counts who had the file open. */
function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path).subarray(100)).digest('hex');
}
