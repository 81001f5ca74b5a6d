import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { leaveServerFile } from '../../src/server/data/server-file.js';
import { temporaryDirectory } from '../support/run-cli.js';
import { useServers } from './support/start.js';

const servers = useServers();
const own = { url: 'http://127.0.0.1:1', token: 't', pid: process.pid, startedAt: '2030-01-01T00:00:00Z' };
let data: string;
let path: string;
beforeEach(() => {
  data = join(temporaryDirectory(), 'data');
  mkdirSync(data, { mode: 0o700 });
  path = join(data, 'server.json');
});

/** Leaves the file, of which its server takes a look whenever it is told to. */
async function leave() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const directory = {
    path: data,
    kept: true,
    made: [],
    database: join(data, 'orgctl.db'),
    release: async () => undefined,
  };
  const remove = await leaveServerFile(directory, own);
  return { text: readFileSync(path, 'utf8'), look: () => vi.advanceTimersByTime(1000), remove };
}

describe('server.json', () => {
  it('says, to its owner alone, how a server that keeps its data is steered, and is gone when it ends', async () => {
    // What a killed server left, open to others.
    writeFileSync(path, '{}', { mode: 0o644 });
    const server = await servers.start({ data });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      url: server.url,
      control: `${server.url}/_control`,
      token: server.controlToken,
      pid: process.pid,
      startedAt: (await server.control.status()).startedAt,
    });
    await server.close();
    expect(existsSync(path)).toBe(false);
  });

  const change = (fields: object) => (text: string) => JSON.stringify({ ...JSON.parse(text), ...fields });

  it.each<[string, (text: string) => string | undefined]>([
    ['cut off', () => '{"url":'],
    ['emptied', () => ''],
    ['of a killed server', change({ pid: 2 ** 22 + 1 })],
    ['with another token', change({ token: 'other' })],
    ['missing', () => undefined],
  ])('is restored when it is damaged, another one or missing: %s', async (_how, damage) => {
    const { text, look, remove } = await leave();
    const damaged = damage(text);
    if (damaged === undefined) rmSync(path);
    else writeFileSync(path, damaged);
    look();
    await expect.poll(() => existsSync(path) && readFileSync(path, 'utf8')).toBe(text);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await remove();
    expect(existsSync(path)).toBe(false);
  });

  it('is neither restored over the file of another that runs nor removed with it, nor restored in another directory', async () => {
    const { text, look, remove } = await leave();
    const other = change({ pid: process.ppid })(text);
    writeFileSync(path, other);
    look();
    await remove();
    expect(readFileSync(path, 'utf8')).toBe(other);
    const second = await leave();
    renameSync(data, `${data}-away`);
    mkdirSync(data);
    const killed = change({ pid: 2 ** 22 + 1 })(text);
    writeFileSync(path, killed);
    second.look();
    await second.remove();
    expect(readFileSync(path, 'utf8')).toBe(killed);
  });
});
