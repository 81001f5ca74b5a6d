import { copyFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../src/server/index.js';
import { at, Caller } from '../support/caller.js';
import { useServers } from '../support/servers.js';

const servers = useServers();

async function running() {
  const data = await servers.directory();
  const log: LogEntry[] = [];
  const server = await servers.start({ data, onLog: (entry) => log.push(entry) });
  const caller = new Caller(server);
  const create = (name: string) => caller.send('POST', '/teams', { body: { name } });
  expect((await create('before')).status).toBe(201);
  return { data, server, caller, create, log, database: join(data, 'orgctl.db') };
}

/** What happens to the files of the database, by the words that the log has of it. */
const losses: readonly (readonly [string, (database: string) => Promise<void>])[] = [
  ['orgctl.db was deleted, moved or replaced', (database) => rm(database)],
  ['orgctl.db was deleted, moved or replaced', (database) => rename(database, `${database}.moved`)],
  [
    'orgctl.db was deleted, moved or replaced',
    (database) => copyFile(database, `${database}.copy`).then(() => rename(`${database}.copy`, database)),
  ],
  ['orgctl.db-wal was deleted, moved or replaced', (database) => rm(`${database}-wal`)],
  [
    'orgctl.db was deleted, moved or replaced',
    (database) => rename(join(database, '..'), join(database, '..', '..', 'elsewhere')),
  ],
];

describe('a server whose database is lost while it runs', () => {
  it.each(losses)('confirms no further change: %s', async (reason, lose) => {
    const { server, caller, create, log, database } = await running();
    expect((await caller.send('GET', '/healthz/ready', { auth: 'none' })).status).toBe(200);
    await lose(database);
    for (const name of ['first', 'second']) {
      const { status, headers } = await create(name);
      expect([status, headers['retry-after']]).toEqual([503, undefined]);
    }
    const { keys } = server.control;
    await expect(keys.issue({ id: server.keyId })).rejects.toThrow(reason);
    expect((await caller.send('GET', '/healthz/ready', { auth: 'none' })).status).toBe(503);
    const errors = log.filter(({ event }) => event === 'error');
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) expect(at(error, 'message')).toContain(reason);
  });

  it('does not change a database that replaced it, leaves no log beside that, and keeps off the log of its next server', async () => {
    const { data, server, database, create } = await running();
    const other = await servers.directory();
    const second = await servers.start({ data: other, masterKey: '3'.repeat(64) });
    await second.close();
    await rename(join(other, 'orgctl.db'), database);
    expect((await create('lost')).status).toBe(503);
    expect(await readdir(data)).not.toContain('orgctl.db-wal');
    const third = await servers.start({ data, masterKey: '3'.repeat(64) });
    await server.close();
    expect(third.keyId).toBe(second.keyId);
    expect((await new Caller(third).send('POST', '/teams', { body: { name: 'kept' } })).status).toBe(201);
  });
});
