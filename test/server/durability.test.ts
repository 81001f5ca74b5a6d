import { statSync } from 'node:fs';
import { chmod, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { found, Ledger, writeUntil } from '../hard/support/ledger.js';
import { at, Caller } from './support/caller.js';
import type { ProcessLimits, ServerProcess } from './support/server-process.js';
import { useServers } from './support/start.js';
import { useServerProcesses } from './support/use-server-processes.js';

const servers = useServers();
const processes = useServerProcesses();

function open(data: string, limits: ProcessLimits = {}): Promise<ServerProcess> {
  return processes.open({ data, quotas: { connections: 100_000, teams: 100_000 } }, limits);
}

describe('a server that is killed', () => {
  // Many more kills are in test/hard.
  it('keeps every 201, 200 and 204 that was sent, and counts what is there', async () => {
    const data = await servers.directory();
    const ledger = new Ledger();
    for (const killedAfter of [1, 40]) {
      const process = await open(data);
      const caller = new Caller(process.server);
      ledger.check(await found(caller));
      const goal = ledger.answers + killedAfter;
      const isOver = () => {
        if (ledger.answers >= goal) void process.end('SIGKILL');
        return false;
      };
      await writeUntil(isOver, [caller], ledger);
    }
    expect(ledger.answers).toBeGreaterThan(40);
    ledger.check(await found(new Caller(await servers.start({ data }))));
  });

  it('leaves nothing that keeps the next one out, as one that runs does', async () => {
    const data = await servers.directory();
    const first = await open(data);
    const inUse = `the data directory ${data} is in use by a server`;
    await expect(servers.start({ data })).rejects.toThrow(inUse);
    expect((await open(data)).start).toMatchObject({ message: expect.stringContaining(`${inUse} (`) });
    await first.end('SIGKILL');
    expect(await readdir(data)).toContain('orgctl.db-wal');
    expect((await servers.start({ data })).keyId).toBe(first.server.keyId);
  });
});

describe('a disk that is full', () => {
  it('is a 503, never a 201 of what is not there, and loses nothing', async () => {
    const data = await servers.directory();
    await (await servers.start({ data })).close();
    const process = await open(data, { fileSize: 512 * 1024 });
    const caller = new Caller(process.server);
    const targets: string[] = [];
    const body = { name: 'main', type: 'x', config: { padding: 'x'.repeat(20_000) } };
    const create = () => caller.send('POST', '/connections', { body });
    let answer = await create();
    for (; answer.status === 201; answer = await create())
      targets.push(`/connections/${at(answer.json, 'id')}`);
    expect(targets.length).toBeGreaterThan(3);
    const message = 'Service Unavailable: the data cannot be read or written; nothing was changed';
    expect(answer.json).toEqual({ statusCode: 503, message });
    // It goes on answering what needs no room.
    const stored = async (of: Caller) => [...(await found(of)).names.keys()].toSorted();
    expect(await stored(caller)).toEqual(targets.toSorted());
    // What is written to find that out is less than any request writes.
    const ready = async () => (await caller.send('GET', '/healthz/ready', { auth: 'none' })).status;
    await expect.poll(ready, { interval: 300 }).toBe(503);
    await process.end('SIGTERM');

    const roomy = new Caller(await servers.start({ data }));
    expect(await stored(roomy)).toEqual(targets.toSorted());
    expect((await roomy.send('POST', '/connections', { body })).status).toBe(201);
  });

  it('refuses the start with what is the matter, and the next start is as if nothing had been', async () => {
    const data = await servers.directory();
    for (const fileSize of [0, 8192]) {
      const process = await open(data, { fileSize });
      expect(process.start).toMatchObject({ kind: 'ConfigError', message: expect.stringContaining(data) });
    }
    expect((await new Caller(await servers.start({ data })).send('GET', '/quotas')).status).toBe(200);
  });
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
