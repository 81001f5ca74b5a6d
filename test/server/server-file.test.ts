import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useServers } from './support/start.js';

const servers = useServers();

function readSafely(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

describe('server.json', () => {
  it('says, to its owner alone, how a server that keeps its data is steered, and is gone when it ends', async () => {
    const data = await servers.directory();
    const path = join(data, 'server.json');
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

  it('is left alone by a server whose own it is not any more', async () => {
    const data = await servers.directory();
    const path = join(data, 'server.json');
    const server = await servers.start({ data });
    writeFileSync(path, 'of another');
    await server.close();
    expect(readFileSync(path, 'utf8')).toBe('of another');
  });

  // All at once, for each waits until its server looks again.
  it('is restored when it is damaged, another one or missing, so that the server can be stopped', async () => {
    const change = (fields: object) => (text: string) => JSON.stringify({ ...JSON.parse(text), ...fields });
    const damages = {
      'cut off': () => '{"url":',
      emptied: () => '',
      'of a killed server': change({ pid: 2 ** 22 + 1 }),
      'with another token': change({ token: 'other' }),
      missing: () => undefined,
    };
    const restored = Object.entries(damages).map(async ([how, damage]) => {
      const data = await servers.directory();
      const path = join(data, 'server.json');
      await servers.start({ data });
      const text = readFileSync(path, 'utf8');
      const damaged = damage(text);
      if (damaged === undefined) rmSync(path);
      else writeFileSync(path, damaged);
      await expect.poll(() => readSafely(path), { message: how }).toBe(text);
      expect(statSync(path).mode & 0o777).toBe(0o600);
    });
    await Promise.all(restored);
  });

  it('is not restored over the file of another that runs, nor in another directory', async () => {
    const data = await servers.directory();
    const server = await servers.start({ data });
    const path = join(data, 'server.json');
    const other = JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), pid: process.ppid });
    writeFileSync(path, other);
    const moved = await servers.directory();
    const second = await servers.start({ data: moved });
    renameSync(moved, `${moved}-away`);
    mkdirSync(moved);
    // A third is restored meanwhile: their looks are as frequent.
    const witness = await servers.directory();
    await servers.start({ data: witness });
    for (let looks = 0; looks < 2; looks++) {
      rmSync(join(witness, 'server.json'));
      await expect.poll(() => existsSync(join(witness, 'server.json')), { timeout: 10_000 }).toBe(true);
    }
    expect(readFileSync(path, 'utf8')).toBe(other);
    expect(readdirSync(moved)).toEqual([]);
    await Promise.all([server.close(), second.close()]);
  });
});
