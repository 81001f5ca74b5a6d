import { randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { changeMasterKey } from '../../src/server/data/rotate-master-key.js';
import type { Log, RunningServer } from '../../src/server/index.js';
import { checkData } from '../../src/server/maintenance/check-data.js';
import { checkRing, KeyRing, toFingerprint } from '../../src/storage/key-ring.js';
import { prepareSchema } from '../../src/storage/schema.js';
import { inMemory, openSqlite } from '../../src/storage/sqlite/engine.js';
import { writeSetting } from '../../src/storage/tables.js';
import { at, Caller } from '../support/caller.js';
import { useDatabase } from '../support/databases.js';
import { useServers } from '../support/servers.js';

const [older, newer] = [randomBytes(32), randomBytes(32)];
const ring = new KeyRing(older);

describe('a sealed value', () => {
  it('opens at no other place, and not when a bit of it has changed', () => {
    const sealed = ring.seal('hunter2', 'here');
    expect(() => ring.open(sealed, 'there')).toThrow();
    for (const index of sealed.keys()) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(() => ring.open(changed, 'here')).toThrow();
    }
    expect(() => ring.open(sealed.subarray(0, 35), 'here')).toThrow();
    expect(() => ring.open(Buffer.alloc(0), 'here')).toThrow();
  });

  it('opens with any key of a ring; a ring without its key names the key', () => {
    const both = new KeyRing(newer, older);
    expect(both.open(ring.seal('a', 'here'), 'here')).toBe('a');
    const sealed = both.seal('b', 'here');
    expect(() => ring.open(sealed, 'here')).toThrow(`needs the master key ${both.fingerprint}`);
  });

  it('that checks the key: if damaged, the error asks for a backup, not for the key', async () => {
    const engine = await openSqlite(inMemory);
    await prepareSchema(engine);
    const damaged = Buffer.concat([Buffer.from(ring.fingerprint, 'hex'), randomBytes(28)]).toString('base64');
    await writeSetting(engine.database, 'master_key_check', damaged);
    const details = { hint: 'restore an undamaged backup' };
    await expect(checkRing(engine.database, ring)).rejects.toMatchObject({ details });
  });
});

const servers = useServers();
const isShared = inject('engine') === 'postgresql';
const database = isShared ? useDatabase() : undefined;
const [one, other] = ['1'.repeat(64), '2'.repeat(64)];
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

describe('a change of the master key', () => {
  it('puts a new key in front of the others in the file, which open everything', async () => {
    const { where, server } = await filled(3);
    const file = join(where.data, 'master.key');
    let before = await readFile(file, 'utf8');
    for (const newMasterKey of [undefined, one, undefined]) {
      const { oldFingerprints, ...outcome } = await changeMasterKey({ ...where, newMasterKey });
      expect(outcome).toMatchObject({ apiKeys: 1, connections: 3, keyFile: file });
      const now = await readFile(file, 'utf8');
      expect(now.endsWith(`\n${before}`)).toBe(true);
      expect(now.split('\n')[0]).toMatch(newMasterKey ?? /^[0-9a-f]{64}$/);
      expect(oldFingerprints).toHaveLength(before.trim().split('\n').length);
      before = now;
    }
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const [newest, ...older] = before.trim().split('\n');
    await writeFile(file, `${older.join('\n')}\n`);
    const missing = toFingerprint(Buffer.from(newest ?? '', 'hex'));
    await expect(servers.start(where)).rejects.toThrow(`needs the master key ${missing}`);
    await writeFile(file, `${newest}\n`);
    await expectReadable(await servers.start(where), server);
  });

  it('leaves the data readable when interrupted, and the next change goes on with its key', async () => {
    const { where, server } = await filled(2);
    const file = join(where.data, 'master.key');
    const old = await readFile(file, 'utf8');
    await writeFile(file, `${one}\n${old}`);
    const running = await servers.start(where);
    await expectReadable(running, server);
    await running.close();
    expect(await changeMasterKey(where)).toMatchObject({ apiKeys: 1, connections: 1 });
    expect(await readFile(file, 'utf8')).toBe(`${one}\n${old}`);
    await writeFile(file, `${one}\n`);
    await expectReadable(await servers.start(where), server);
  });

  it.runIf(isShared)('has servers that lack the new key answer 503 for values that need it', async () => {
    const { where } = await filled(2, one);
    const log: string[] = [];
    const onLog: Log = (entry) => void (entry.event === 'error' && log.push(entry.message));
    const server = await servers.start({ ...where, masterKey: one, onLog });
    const caller = new Caller(server);
    const keys = { masterKey: one, newMasterKey: other };
    const { oldFingerprints, fingerprint } = await changeMasterKey({ ...where, ...keys });
    expect(oldFingerprints).toHaveLength(1);
    expect((await caller.send('GET', '/connections')).status).toBe(503);
    expect(log.join()).toContain(`needs the master key ${fingerprint}`);
    const next = new Caller(await servers.start({ ...where, masterKey: `${other},${one}` }));
    expect((await next.send('GET', '/connections')).json).toMatchObject({ total: 2 });
  });
});

it.runIf(!isShared)(
  'serve check finds a quota that counts wrong, and a value that no key opens',
  async () => {
    const { where } = await filled(1);
    const engine = await openSqlite(join(where.data, 'orgctl.db'));
    await engine.database.updateTable('quotas').set({ used: 1 }).execute();
    await engine.database
      .updateTable('connections')
      .set({ config: randomBytes(50) })
      .execute();
    await engine.close();
    const message = expect.stringMatching(/the quota for teams in org_\w+ counts 1, but there are 0$/);
    const details = { problems: [expect.stringMatching(/^the encrypted data of conn_\w+ cannot be opened/)] };
    await expect(checkData(where)).rejects.toMatchObject({ message, details });
  },
);
