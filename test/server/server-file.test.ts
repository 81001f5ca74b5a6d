import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useServers } from './support/start.js';

const servers = useServers();

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
      startedAt: server.control.status().startedAt,
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
});
