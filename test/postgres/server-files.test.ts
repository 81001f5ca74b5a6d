import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useServers } from '../server/support/start.js';
import { useDatabase } from '../support/databases.js';
import { emptyEnvironment, errorOf, runCli } from '../support/run-cli.js';

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

  it('are steered each by itself: the owner by its directory, the others by their address', async () => {
    const { data, owner, first, second } = await threeOnOneDirectory();
    const local = (words: string, env: Record<string, string> = {}) =>
      runCli(['local', ...words.split(' '), '--data', data, '-o', 'json'], {
        env: { ...emptyEnvironment(), ...env },
      });
    const keys = await Promise.all([owner, first].map(({ control }) => control.keys.issue({ name: 'a' })));
    const status = await local('status');
    expect(JSON.parse(status.stdout)).toMatchObject({ url: owner.url });
    for (const { url } of [first, second]) {
      expect(status.stderr).toContain(`${url}, with its data in postgres://`);
      const env = { ORGCTL_CONTROL_URL: url };
      expect(JSON.parse((await local('status', env)).stdout)).toMatchObject({ url });
    }
    expect((await local('reset --yes')).code).toBe(0);
    const left = await Promise.all([owner, first].map(({ control }) => control.keys.list()));
    const ids = left.map((list) => list.map(({ id }) => id));
    expect(ids[0]).not.toContain(keys[0]?.id);
    expect(ids[1]).toContain(keys[1]?.id);
    const unknown = await local('status', { ORGCTL_CONTROL_URL: 'http://127.0.0.1:1/_control' });
    expect(errorOf(unknown)).toMatchObject({ exitCode: 3, hint: expect.stringContaining(first.url) });
  });

  it('are not steered by the directory once its owner has stopped', async () => {
    const { data, owner, first, second } = await threeOnOneDirectory();
    await owner.close();
    const reset = () => runCli(['local', 'reset', '--yes', '--data', data, '-o', 'json']);
    const both = errorOf(await reset())['message'];
    expect(both).toContain(
      `no server stores its data in ${data}, but 2 servers with a shared database run: `,
    );
    for (const { url } of [first, second]) expect(both).toContain(`${url} (postgres://`);
    await second.close();
    expect(errorOf(await reset())).toMatchObject({
      exitCode: 3,
      message: expect.stringContaining(`but a server with a shared database runs: ${first.url} (postgres://`),
      hint: `select it by its address: ORGCTL_CONTROL_URL=${first.url}/_control orgctl local status --data ${data}`,
    });
  });
});
