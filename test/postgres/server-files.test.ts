import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useServers } from '../server/support/start.js';
import { useDatabase } from '../support/databases.js';

const servers = useServers();
const database = useDatabase();

/** A server that has its data in a directory, and two that only name it. */
async function threeOnOneDirectory() {
  const data = await servers.directory();
  const owner = await servers.start({ data, database: undefined });
  const shared = await database.fresh();
  const others = [];
  for (let count = 0; count < 2; count += 1) others.push(await servers.start({ data, database: shared }));
  const [first, second] = others;
  if (first === undefined || second === undefined) throw new Error('two were started');
  return { data, owner, first, second };
}

describe('servers that name one data directory', () => {
  it('have a file each, and server.json is of the one that has its data there', async () => {
    const { data, owner, first, second } = await threeOnOneDirectory();
    const json = join(data, 'server.json');
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ url: owner.url });
    const names = readdirSync(join(data, 'servers'));
    expect(names).toHaveLength(2);
    const files = names.map((name) => join(data, 'servers', name));
    for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(files.map((file) => JSON.parse(readFileSync(file, 'utf8')).url).sort()).toEqual(
      [first.url, second.url].sort(),
    );
    await first.close();
    expect(readdirSync(join(data, 'servers'))).toHaveLength(1);
    await owner.close();
    expect([existsSync(json), readdirSync(join(data, 'servers')).length]).toEqual([false, 1]);
  });
});
