import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, it } from 'vitest';
import { ConfigError } from '../../src/errors.js';
import type { RunningServer } from '../../src/server/index.js';
import { changeMasterKey } from '../../src/server/rotate-master-key.js';
import { useDatabase } from '../support/databases.js';
import { at, Caller } from './support/caller.js';
import { useServers } from './support/start.js';

const servers = useServers();
const isShared = inject('engine') === 'postgresql';
const database = isShared ? useDatabase() : undefined;
const one = '1'.repeat(64);
const other = '2'.repeat(64);
const config = { host: 'h', port: 1, database: 'd', user: 'u', password: 'hunter2', ssl: true };

/** Where a server keeps its data; the directory has its key in any case. */
async function place() {
  return { data: await servers.directory(), ...(database && { database: await database.fresh() }) };
}

/** Fills a place with secrets, by a server that is stopped then. */
async function filled(count: number, masterKey?: string) {
  const where = await place();
  const connections = Array.from({ length: count }, (_, index) => ({
    name: `c${index}`,
    type: 'pg',
    config,
  }));
  const quotas = { connections: count + 10 };
  const seed = { organizations: [{ name: 'a', quotas, keys: [{ id: 'key_a' }], connections }] };
  const server = await servers.start({ ...where, masterKey, seed });
  await server.close();
  return { where, server };
}

/** Checks that a server reads what another one sealed: its keys by their secrets, settings by a change of a part. */
async function expectReadable(server: RunningServer, before: RunningServer): Promise<void> {
  expect(server).toMatchObject({ keyId: before.keyId, secret: before.secret });
  const caller = new Caller(server);
  const { json } = await caller.send('GET', '/connections?limit=100');
  const target = `/connections/${String(at(json, 'data.0.id'))}`;
  expect((await caller.send('PATCH', target, { body: { config: { port: 2 } } })).status).toBe(200);
}

describe('a change of the master key', () => {
  it('of a file puts a new one in its place, and everything is read with that', async () => {
    const { where, server } = await filled(3);
    const old = await readFile(join(where.data, 'master.key'), 'utf8');
    const file = join(where.data, 'master.key');
    expect(await changeMasterKey(where)).toEqual({ apiKeys: 1, connections: 3, keyFile: file });
    const now = await readFile(file, 'utf8');
    expect(now).toMatch(/^[0-9a-f]{64}\n$/);
    expect(now).not.toBe(old);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(where.data)).not.toContain('master.key.new');
    await expectReadable(await servers.start(where), server);
    await writeFile(file, old);
    await expect(servers.start(where)).rejects.toThrow(ConfigError);
  });

  it('of the environment goes from the one that is given to the other', async () => {
    const { where, server } = await filled(600, one);
    const change = { ...where, masterKey: one, newMasterKey: other };
    expect(await changeMasterKey(change)).toEqual({ apiKeys: 1, connections: 600 });
    await expect(servers.start({ ...where, masterKey: one })).rejects.toThrow('another master key');
    await expectReadable(await servers.start({ ...where, masterKey: other }), server);
  });

  it('that was done is done: run again, it changes nothing', async () => {
    const { where } = await filled(1, one);
    const change = { ...where, masterKey: one, newMasterKey: other };
    await changeMasterKey(change);
    expect(await changeMasterKey(change)).toEqual({ apiKeys: 0, connections: 0 });
  });

  it('goes on with the key that it began with, when it ended before the new file was in place', async () => {
    const { where, server } = await filled(1);
    const file = join(where.data, 'master.key');
    const old = await readFile(file, 'utf8');
    await changeMasterKey(where);
    const begun = await readFile(file, 'utf8');
    await writeFile(file, old);
    await writeFile(`${file}.new`, begun);
    expect(await changeMasterKey(where)).toMatchObject({ connections: 0, keyFile: file });
    expect(await readFile(file, 'utf8')).toBe(begun);
    await expectReadable(await servers.start(where), server);
  });

  it.each([
    [{ masterKey: one }, 'no new master key'],
    [{ masterKey: one, newMasterKey: one }, 'is the old one'],
    [{ masterKey: one, newMasterKey: 'x' }, 'is not 64 hexadecimal characters'],
    [{ masterKey: '3'.repeat(64), newMasterKey: other }, 'neither of the two'],
    [{}, 'master.key is missing'],
  ])('is refused, and nothing was changed: %j', async (keys, message) => {
    const { where, server } = await filled(1, one);
    const refused = changeMasterKey({ ...where, ...keys });
    await expect(refused).rejects.toThrow(ConfigError);
    await expect(refused).rejects.toThrow(message);
    await expectReadable(await servers.start({ ...where, masterKey: one }), server);
  });

  it.skipIf(isShared)('needs data, and no server that uses it', async () => {
    const data = await servers.directory();
    await expect(changeMasterKey({ data })).rejects.toThrow('there is no data');
    expect(await readdir(data)).toEqual([]);
    await servers.start({ data });
    await expect(changeMasterKey({ data })).rejects.toThrow('in use by another server');
  });

  it.runIf(isShared)('has servers that run on refuse, rather than seal what nobody could open', async () => {
    const { where } = await filled(2, one);
    const server = await servers.start({ ...where, masterKey: one });
    const caller = new Caller(server);
    expect((await caller.send('GET', '/quotas')).status).toBe(200);
    await changeMasterKey({ ...where, masterKey: one, newMasterKey: other });
    const body = { name: 'b', type: 'pg', config };
    expect((await caller.send('POST', '/connections', { body })).status).toBe(503);
    expect((await caller.send('GET', '/healthz/ready', { auth: 'none' })).status).toBe(503);
    expect((await caller.send('GET', '/healthz', { auth: 'none' })).status).toBe(200);
    const next = new Caller(await servers.start({ ...where, masterKey: other }));
    expect((await next.send('POST', '/connections', { body })).status).toBe(201);
    expect((await next.send('GET', '/connections')).json).toMatchObject({ total: 3 });
  });
});

const script = `
  import { changeMasterKey } from './src/server/rotate-master-key.ts';
  console.log('begun');
  await changeMasterKey(JSON.parse(process.argv[1]));`;

/** Changes the key in a process of its own, and kills it so many milliseconds after it began. */
async function killed(options: object, delay: number): Promise<void> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', script, JSON.stringify(options)],
    { cwd: fileURLToPath(new URL('../..', import.meta.url)), stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  const timer = setTimeout(() => child.kill('SIGKILL'), delay);
  await ended;
  clearTimeout(timer);
}

it('a change that is killed at any point is done by the next one, and loses nothing', async () => {
  const { where, server } = await filled(400);
  for (const delay of [0, 30, 90, 200]) {
    await killed(where, delay);
    await changeMasterKey(where);
  }
  const last = await servers.start(where);
  await expectReadable(last, server);
  expect((await new Caller(last).send('GET', '/connections?limit=1')).json).toMatchObject({ total: 400 });
}, 120_000);
