import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { copyFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunningServer } from '../../src/server/index.js';
import { backUpData, restoreData } from '../../src/server/maintenance/backup-data.js';
import { at, Caller } from '../support/caller.js';
import { useServers } from '../support/servers.js';
import { useServerProcesses } from '../support/use-server-processes.js';

const config = { host: 'db.test', port: 1, database: 'd', user: 'u', password: 'hunter2', ssl: true };

/** Creates a connection, and answers its ID. */
async function createConnection(
  server: Pick<RunningServer, 'url' | 'keyId' | 'secret'>,
  name: string,
): Promise<string> {
  const body = { name, type: 'pg', config };
  const { status, json } = await new Caller(server).send('POST', '/connections', { body });
  expect(status).toBe(201);
  return String(at(json, 'id'));
}

/** The IDs of all connections, page by page. */
async function listConnections(server: RunningServer): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const { json } = await new Caller(server).send('GET', `/connections?limit=100&page=${page}`);
    const data = at(json, 'data');
    if (!Array.isArray(data) || data.length === 0) return ids;
    for (const item of data) ids.push(String(at(item, 'id')));
  }
}

/** Servers, and data directories that servers have used. */
function useUsedDirectories() {
  const servers = useServers();
  return {
    servers,
    /** With one connection in it. */
    async usedDirectory() {
      const data = await servers.directory();
      const server = await servers.start({ data });
      const id = await createConnection(server, 'main');
      await server.close();
      return { data, server, id };
    },
    /** Empty but for the master key of another one. */
    async emptyWithKeyOf(data: string): Promise<string> {
      const other = await servers.directory();
      await copyFile(join(data, 'master.key'), join(other, 'master.key'));
      return other;
    },
  };
}

const { servers, usedDirectory, emptyWithKeyOf } = useUsedDirectories();
const processes = useServerProcesses();

describe('a backup', () => {
  it('is one file that only its owner can read, and contains neither secrets nor the key', async () => {
    const { data, server } = await usedDirectory();
    const directory = await servers.directory();
    const file = join(directory, 'b.db');
    await backUpData({ data, file });
    expect(readdirSync(directory)).toEqual(['b.db']);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    const bytes = readFileSync(file);
    const key = readFileSync(join(data, 'master.key'), 'utf8').trim();
    for (const secret of [server.secret, 'hunter2', key, Buffer.from(key, 'hex')]) {
      expect(bytes.includes(secret)).toBe(false);
    }
  });

  it('never replaces a file, and is refused if the data is missing, or the key is missing or wrong', async () => {
    const { data } = await usedDirectory();
    const directory = await servers.directory();
    const file = join(directory, 'b.db');
    writeFileSync(file, 'mine');
    await expect(backUpData({ data, file })).rejects.toThrow('already exists, and a backup never replaces');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    const race = join(await servers.directory(), 'b.db');
    const ended = await Promise.allSettled([1, 2].map(() => backUpData({ data, file: race })));
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const fresh = { data, file: join(directory, 'c.db') };
    const wrong = backUpData({ ...fresh, masterKey: '7'.repeat(64) });
    await expect(wrong).rejects.toThrow(/needs the master key [0-9a-f]{16}, which is not in the key ring$/);
    await rm(join(data, 'master.key'));
    await expect(backUpData(fresh)).rejects.toThrow(/needs the master key \w+, which is missing/);
    await expect(backUpData({ ...fresh, data: directory })).rejects.toThrow('no data: ');
    expect(readdirSync(directory)).toEqual(['b.db']);
    const looped = await servers.directory();
    await symlink('orgctl.db', join(looped, 'orgctl.db'));
    await expect(backUpData({ ...fresh, data: looped })).rejects.toThrow('no data: ');
  });
});

describe('restoring', () => {
  it('is refused while a server uses the directory, and over data without force; data of a killed server can be backed up, and is kept', async () => {
    const { data, id } = await usedDirectory();
    const directory = await servers.directory();
    const [file, ofKilled] = [join(directory, 'b.db'), join(directory, 'killed.db')];
    await backUpData({ data, file });
    const process = await processes.open({ data });
    const later = await createConnection(process.server, 'later');
    await expect(restoreData({ data, file, force: true })).rejects.toThrow('is in use by a server');
    expect(readdirSync(data).filter((name) => name.includes('before') || name.startsWith('.'))).toEqual([]);
    await process.end('SIGKILL');
    await expect(restoreData({ data, file })).rejects.toThrow(
      `there is data already: ${join(data, 'orgctl.db')}`,
    );

    expect(readdirSync(data)).toContain('orgctl.db-wal');
    await backUpData({ data, file: ofKilled });
    const other = await emptyWithKeyOf(data);
    await restoreData({ data: other, file: ofKilled });
    expect(await listConnections(await servers.start({ data: other }))).toEqual([id, later]);

    // What the log of a killed server holds is kept with the data that it belongs to.
    const { replaced } = await restoreData({ data, file, force: true });
    expect(await listConnections(await servers.start({ data }))).toEqual([id]);
    const kept = await emptyWithKeyOf(data);
    for (const ending of ['', '-wal']) {
      if (existsSync(`${replaced}${ending}`))
        await copyFile(`${replaced}${ending}`, join(kept, `orgctl.db${ending}`));
    }
    expect(await listConnections(await servers.start({ data: kept }))).toEqual([id, later]);
  });
});
