import { statSync } from 'node:fs';
import { chmod, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { at, Caller } from './support/caller.js';
import type { ProcessLimits, ServerProcess } from './support/server-process.js';
import { useServers } from './support/start.js';
import { useServerProcesses } from './support/use-server-processes.js';

const servers = useServers();
const processes = useServerProcesses();

function open(data: string, limits: ProcessLimits = {}): Promise<ServerProcess> {
  return processes.open({ data, quotas: { connections: 100_000, teams: 100_000 } }, limits);
}

function connection(padding = '') {
  return { name: 'main', type: 'x', config: { padding } };
}

/** The IDs of all resources of a kind, page by page, and how many the service counts. */
async function listed(caller: Caller, kind: string): Promise<{ ids: Set<string>; used: unknown }> {
  const ids = new Set<string>();
  for (let page = 1; ; page += 1) {
    const { json } = await caller.send('GET', `/${kind}?limit=100&page=${page}`);
    const data = at(json, 'data');
    if (!Array.isArray(data) || data.length === 0) break;
    for (const item of data) ids.add(String(at(item, 'id')));
  }
  const quotas = await caller.send('GET', '/quotas');
  return { ids, used: at(quotas.json, `data.0.${kind}.used`) };
}

/** What clients know of the connections they made: a request without an answer may have had its effect or not. */
class Ledger {
  readonly created = new Set<string>();
  readonly deleted = new Set<string>();
  readonly maybeDeleted = new Set<string>();
  unansweredPosts = 0;

  get size(): number {
    return this.created.size;
  }

  async create(caller: Caller): Promise<string> {
    this.unansweredPosts += 1;
    const { status, json } = await caller.send('POST', '/connections', { body: connection() });
    this.unansweredPosts -= 1;
    expect(status).toBe(201);
    const id = String(at(json, 'id'));
    this.created.add(id);
    return id;
  }

  async delete(caller: Caller, id: string): Promise<void> {
    this.maybeDeleted.add(id);
    expect((await caller.send('DELETE', `/connections/${id}`)).status).toBe(204);
    this.deleted.add(id);
  }

  check({ ids, used }: { ids: ReadonlySet<string>; used: unknown }): void {
    const kept = [...this.created].filter((id) => !this.maybeDeleted.has(id));
    expect(kept.filter((id) => !ids.has(id))).toEqual([]);
    expect([...this.deleted].filter((id) => ids.has(id))).toEqual([]);
    const unknown = [...ids].filter((id) => !this.created.has(id));
    expect(unknown.length).toBeLessThanOrEqual(this.unansweredPosts);
    expect(used).toBe(ids.size);
  }
}

/** Creates without end, and deletes every third, until the server is gone. */
async function write(caller: Caller, ledger: Ledger, onCreated: () => void): Promise<void> {
  try {
    for (let turn = 0; ; turn += 1) {
      const id = await ledger.create(caller);
      onCreated();
      if (turn % 3 === 0) await ledger.delete(caller, id);
    }
  } catch (error) {
    // What else goes wrong than the connection is a failure of the test.
    if (typeof at(error, 'syscall') !== 'string' && at(error, 'code') !== 'ECONNRESET') throw error;
  }
}

describe('a server that is killed', () => {
  it('keeps every 201 and 204 that was sent, and counts what is there', async () => {
    const data = await servers.directory();
    const ledger = new Ledger();
    for (const killedAfter of [1, 40]) {
      const process = await open(data);
      const caller = new Caller(process.server);
      ledger.check(await listed(caller, 'connections'));
      const goal = ledger.size + killedAfter;
      const kill = () => void (ledger.size >= goal && process.end('SIGKILL'));
      await Promise.all(Array.from({ length: 8 }, () => write(caller, ledger, kill)));
    }
    expect(ledger.size).toBeGreaterThan(40);
    const last = await servers.start({ data });
    ledger.check(await listed(new Caller(last), 'connections'));
  }, 30_000);

  it('leaves nothing that keeps the next one out', async () => {
    const data = await servers.directory();
    const first = await open(data);
    const refused = servers.start({ data });
    await expect(refused).rejects.toThrow(`the data directory ${data} is in use by another server`);
    await first.end('SIGKILL');
    expect(await readdir(data)).toContain('orgctl.db-wal');
    const second = await servers.start({ data });
    expect(second.keyId).toBe(first.server.keyId);
    const third = await open(data);
    expect(third.start).toEqual({
      kind: 'ConfigError',
      message: expect.stringContaining(`the data directory ${data} is in use by another server (`),
    });
  });
});

describe('a disk that is full', () => {
  it('is a 503, never a 201 of what is not there, and loses nothing', async () => {
    const data = await servers.directory();
    await (await servers.start({ data })).close();
    const process = await open(data, { fileSize: 512 * 1024 });
    const caller = new Caller(process.server);
    const acknowledged: string[] = [];
    const refused: unknown[] = [];
    const body = connection('x'.repeat(20_000));
    while (refused.length === 0) {
      const group = Array.from({ length: 4 }, () => caller.send('POST', '/connections', { body }));
      for (const { status, json } of await Promise.all(group)) {
        if (status === 201) acknowledged.push(String(at(json, 'id')));
        else refused.push(json);
      }
    }
    expect(acknowledged.length).toBeGreaterThan(3);
    expect(refused).toEqual(refused.map(() => ({ statusCode: 503, message: 'Service Unavailable' })));
    // It goes on answering what needs no room.
    expect(await listed(caller, 'connections')).toEqual({
      ids: new Set(acknowledged),
      used: acknowledged.length,
    });
    // What is written to find that out is less than any request writes.
    const ready = async () => (await caller.send('GET', '/healthz/ready', { auth: 'none' })).status;
    await expect.poll(ready, { interval: 300 }).toBe(503);
    await process.end('SIGTERM');

    const roomy = new Caller(await servers.start({ data }));
    expect((await listed(roomy, 'connections')).ids).toEqual(new Set(acknowledged));
    expect((await roomy.send('POST', '/connections', { body })).status).toBe(201);
  }, 20_000);

  it('refuses the start with what is the matter, and the next start is as if nothing had been', async () => {
    const data = await servers.directory();
    for (const fileSize of [0, 512, 8192]) {
      const process = await open(data, { fileSize });
      expect(process.start).toMatchObject({ kind: 'ConfigError', message: expect.stringContaining(data) });
    }
    expect((await new Caller(await servers.start({ data })).send('GET', '/quotas')).status).toBe(200);
  }, 20_000);
});

describe('a directory that is read-only', () => {
  // The superuser may write everywhere, so the process runs as somebody else then.
  const asSomebody = process.getuid?.() === 0 ? { uid: 65_534 } : {};

  it.skipIf('uid' in asSomebody && !isOpenToOthers(import.meta.dirname))(
    'refuses the start, and is left as it was',
    async () => {
      const parent = await servers.directory();
      await chmod(parent, 0o555);
      const data = join(parent, 'data');
      const refused = await open(data, asSomebody);
      expect(refused.start).toMatchObject({
        kind: 'ConfigError',
        message: expect.stringContaining(`the data directory ${data} cannot be used`),
      });
      const existing = await open(parent, asSomebody);
      expect(existing.start).toMatchObject({ kind: 'ConfigError', message: expect.stringContaining(parent) });
      expect(await readdir(parent)).toEqual([]);
      await chmod(parent, 0o755);
    },
  );
});

/** Whether another user could run the sources from here. */
function isOpenToOthers(path: string): boolean {
  const isOpen = (statSync(path).mode & 0o005) === 0o005;
  return isOpen && (dirname(path) === path || isOpenToOthers(dirname(path)));
}
