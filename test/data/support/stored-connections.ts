import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { RunningServer } from '../../../src/server/index.js';
import { at, Caller } from '../../support/caller.js';
import { useServers } from '../../support/servers.js';

const config = { host: 'db.test', port: 1, database: 'd', user: 'u', password: 'hunter2', ssl: true };

/** Creates a connection, and answers its ID. */
export async function createConnection(
  server: Pick<RunningServer, 'url' | 'keyId' | 'secret'>,
  name: string,
): Promise<string> {
  const body = { name, type: 'pg', config };
  const { status, json } = await new Caller(server).send('POST', '/connections', { body });
  expect(status).toBe(201);
  return String(at(json, 'id'));
}

/** The IDs of all connections, page by page. */
export async function listConnections(server: RunningServer): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const { json } = await new Caller(server).send('GET', `/connections?limit=100&page=${page}`);
    const data = at(json, 'data');
    if (!Array.isArray(data) || data.length === 0) return ids;
    for (const item of data) ids.push(String(at(item, 'id')));
  }
}

/** Servers, and data directories that servers have used. */
export function useUsedDirectories() {
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
