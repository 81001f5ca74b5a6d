import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { ConfigError } from '../../src/errors/errors.js';
import { changeMasterKey } from '../../src/server/data/rotate-master-key.js';
import { type RunningServer, startServer } from '../../src/server/index.js';
import type { Log } from '../../src/server/journal/log.js';
import { toFingerprint } from '../../src/storage/database/cipher.js';
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
  const connections = Array.from({ length: count }, (_, at) => ({ name: `c${at}`, type: 'pg', config }));
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

/** Leaves a place as a change does that is killed when the data is encrypted anew and the new key not in its place. */
async function interrupted(where: Awaited<ReturnType<typeof place>>): Promise<string> {
  const file = join(where.data, 'master.key');
  const old = await readFile(file, 'utf8');
  await changeMasterKey(where);
  const committed = await readFile(file, 'utf8');
  await writeFile(`${file}.new`, committed, { mode: 0o600 });
  await writeFile(file, old);
  return committed;
}

/** What is in the files of the keys that were replaced. */
async function keptKeys(data: string): Promise<string[]> {
  const directory = join(data, 'old-master-keys');
  const names = await readdir(directory);
  return Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
}

function noteIn(notices: string[]): Log {
  return (entry) => void (entry.event !== 'request' && notices.push(entry.message));
}

describe('a change of the master key', () => {
  it('of a file puts a new one in its place, by which everything is read, and keeps each that it replaces', async () => {
    const { where, server } = await filled(3);
    const file = join(where.data, 'master.key');
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
    const old: string[] = [];
    for (const newMasterKey of [undefined, one, undefined]) {
      old.push(await readFile(file, 'utf8'));
      const { replaced, ...outcome } = await changeMasterKey({ ...where, newMasterKey });
      expect(outcome).toEqual({ apiKeys: 1, connections: 3, keyFile: file });
      const [{ fingerprint, file: kept = '' } = { fingerprint: '' }] = replaced;
      expect(kept).toBe(join(where.data, 'old-master-keys', `${fingerprint}.key`));
      expect([await readFile(kept, 'utf8'), await modeOf(kept)]).toEqual([old.at(-1), 0o600]);
    }
    const now = await readFile(file, 'utf8');
    expect(now).toMatch(/^[0-9a-f]{64}\n$/);
    expect(old).not.toContain(now);
    expect([await modeOf(file), await modeOf(join(where.data, 'old-master-keys'))]).toEqual([0o600, 0o700]);
    expect(await readdir(where.data)).not.toContain('master.key.new');
    expect((await keptKeys(where.data)).sort()).toEqual(old.sort());
    await expectReadable(await servers.start(where), server);
    await writeFile(file, old[0] ?? '');
    await expect(servers.start(where)).rejects.toThrow(ConfigError);
  });

  it('replaces no key that it cannot keep', async () => {
    const { where, server } = await filled(1);
    const file = join(where.data, 'master.key');
    const old = await readFile(file, 'utf8');
    await writeFile(join(where.data, 'old-master-keys'), 'in the way');
    await expect(changeMasterKey(where)).rejects.toThrow('old-master-keys is not a directory');
    expect(await readFile(file, 'utf8')).toBe(old);
    await rm(join(where.data, 'old-master-keys'));
    await expectReadable(await servers.start(where), server);
  });

  it('of the environment goes from the one that is given to the other', async () => {
    const { where, server } = await filled(600, one);
    const change = { ...where, masterKey: one, newMasterKey: other };
    const replaced = [{ fingerprint: toFingerprint(Buffer.from(one, 'hex')) }];
    expect(await changeMasterKey(change)).toEqual({ apiKeys: 1, connections: 600, replaced });
    // Who does not know whether it was interrupted runs it again.
    expect(await changeMasterKey(change)).toEqual({ apiKeys: 0, connections: 0, replaced });
    // It was never in a file, and is not written to one.
    expect(await readdir(where.data)).not.toContain('old-master-keys');
    await expect(servers.start({ ...where, masterKey: one })).rejects.toThrow('another master key');
    await expectReadable(await servers.start({ ...where, masterKey: other }), server);
  });

  it.each([undefined, other])(
    'that was interrupted is finished first, and goes on with its key: %s',
    async (newMasterKey) => {
      const { where, server } = await filled(2);
      const file = join(where.data, 'master.key');
      const committed = await interrupted(where);
      const outcome = await changeMasterKey({ ...where, newMasterKey });
      const connections = newMasterKey === undefined ? 0 : 2;
      expect(outcome).toMatchObject({ connections, keyFile: file });
      expect(await readFile(file, 'utf8')).toBe(newMasterKey === undefined ? committed : `${other}\n`);
      // All that it replaced.
      const replaced = await Promise.all(
        outcome.replaced.map(({ file: kept = '' }) => readFile(kept, 'utf8')),
      );
      expect(replaced).toHaveLength(newMasterKey === undefined ? 1 : 2);
      expect(await keptKeys(where.data)).toEqual(expect.arrayContaining(replaced));
      expect(replaced.includes(committed)).toBe(newMasterKey !== undefined);
      await expectReadable(await servers.start(where), server);
    },
  );

  it('that was interrupted is finished by the next server, which says so', async () => {
    const { where, server } = await filled(1);
    const old = await readFile(join(where.data, 'master.key'), 'utf8');
    const committed = await interrupted(where);
    // As a version that kept none would have left it.
    await rm(join(where.data, 'old-master-keys'), { recursive: true });
    const notices: string[] = [];
    const next = await servers.start({ ...where, onLog: noteIn(notices) });
    await expectReadable(next, server);
    const finished = /after the data was encrypted with the new key.*old-master-keys/;
    expect(notices).toEqual([expect.stringMatching(finished)]);
    expect(await keptKeys(where.data)).toEqual([old]);
    expect(await readFile(join(where.data, 'master.key'), 'utf8')).toBe(committed);
    expect(await readdir(where.data)).not.toContain('master.key.new');
  });

  it('that was interrupted before its end is undone by the next server, which says so', async () => {
    const { where, server } = await filled(1);
    const file = join(where.data, 'master.key');
    const old = await readFile(file, 'utf8');
    await writeFile(`${file}.new`, `${other}\n`, { mode: 0o600 });
    const notices: string[] = [];
    const next = await servers.start({ ...where, onLog: noteIn(notices) });
    await expectReadable(next, server);
    expect(notices).toEqual([expect.stringContaining('before the data was encrypted with the new key')]);
    expect(await readFile(file, 'utf8')).toBe(old);
    expect(await readdir(where.data)).not.toContain('master.key.new');
  });

  it('leaves both files as they are when neither key opens the data', async () => {
    const { where } = await filled(1);
    const file = join(where.data, 'master.key');
    await writeFile(file, `${one}\n`);
    await writeFile(`${file}.new`, `${other}\n`, { mode: 0o600 });
    await expect(servers.start(where)).rejects.toThrow('another master key');
    await expect(changeMasterKey(where)).rejects.toThrow('neither master key decrypts the data');
    expect(await readFile(file, 'utf8')).toBe(`${one}\n`);
    expect(await readFile(`${file}.new`, 'utf8')).toBe(`${other}\n`);
  });

  it.runIf(isShared)(
    'of a shared database is refused where the key is also the key of other data',
    async () => {
      const { where, server } = await filled(1);
      const embedded = await startServer({ data: where.data, http: true });
      await embedded.close();
      await expect(changeMasterKey(where)).rejects.toThrow('whose data would be lost');
      await expectReadable(await servers.start(where), server);
    },
  );

  it('is refused where a key is missing or wrong, and nothing was changed', async () => {
    const { where, server } = await filled(1, one);
    const refusals: [object, string][] = [
      [{ masterKey: one }, 'no new master key'],
      [{ masterKey: one, newMasterKey: one }, 'is the old one'],
      [{ masterKey: one, newMasterKey: 'x' }, 'is not 64 hexadecimal characters'],
      [{ masterKey: '3'.repeat(64), newMasterKey: other }, 'neither master key decrypts the data'],
      [{}, 'master.key is missing'],
    ];
    for (const [keys, message] of refusals) {
      const refused = changeMasterKey({ ...where, ...keys });
      await expect(refused).rejects.toThrow(ConfigError);
      await expect(refused).rejects.toThrow(message);
    }
    await expectReadable(await servers.start({ ...where, masterKey: one }), server);
  });

  it.skipIf(isShared)('needs data, and no server that uses it', async () => {
    const data = await servers.directory();
    await expect(changeMasterKey({ data })).rejects.toThrow('no data: ');
    expect(await readdir(data)).toEqual([]);
    await servers.start({ data });
    const before = await readFile(join(data, 'master.key'), 'utf8');
    await expect(changeMasterKey({ data })).rejects.toThrow('in use by a server');
    expect(await readFile(join(data, 'master.key'), 'utf8')).toBe(before);
    expect(await readdir(data)).not.toContain('master.key.new');
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
