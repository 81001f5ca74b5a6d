import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../support/run-cli.js';
import { useServers } from './support/start.js';

const servers = useServers();

it('server.json says, to its owner alone, how a server is steered, and is gone when it ends, unless it is of another', async () => {
  const data = join(temporaryDirectory(), 'data');
  const path = join(data, 'server.json');
  mkdirSync(data, { mode: 0o700 });
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
  const second = await servers.start({ data });
  writeFileSync(path, 'of another');
  await second.close();
  expect(readFileSync(path, 'utf8')).toBe('of another');
});
