import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/errors/errors.js';
import type { RunningServer } from '../../src/server/index.js';
import { at, Caller } from '../support/caller.js';
import { useServers } from '../support/servers.js';

const servers = useServers();
const connection = {
  name: 'main',
  type: 'pg',
  config: { host: 'db.test', port: 1, database: 'd', user: 'u', password: 'hunter2', ssl: true },
};

const post = (server: RunningServer, target: string, body: unknown) =>
  new Caller(server).send('POST', target, { body });
const get = (server: RunningServer, target: string) => new Caller(server).send('GET', target);

describe('a data directory', () => {
  it('is readable only by its owner, with all its files, none of which has a secret or password in the clear', async () => {
    const data = join(await servers.directory(), 'made', 'here');
    const server = await servers.start({ data, http: false });
    const key = (await post(server, '/api-keys', { name: 'a' })).json;
    await post(server, '/connections', connection);
    const names = [
      ...['ca.pem', 'master.key', 'orgctl.db', 'orgctl.db-wal', 'server-key.pem'],
      ...['server.json', 'server.pem'],
    ];
    expect((await readdir(data)).toSorted()).toEqual(names);
    const modes = await Promise.all(
      [data, ...names.map((name) => join(data, name))].map((path) => stat(path)),
    );
    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['700', ...names.map(() => '600')]);
    const secrets = [server.secret, String(at(key, 'secret')), 'hunter2', 'db.test'];
    for (const name of names) {
      const bytes = await readFile(join(data, name));
      for (const secret of secrets) expect(bytes.includes(secret), `${secret} in ${name}`).toBe(false);
    }
  });

  it('keeps keys, resources and quotas for the next start, with the limits that were last given', async () => {
    const data = await servers.directory();
    const first = await servers.start({ data, http: false, quotas: { teams: 5, connections: 4 } });
    const created = await post(first, '/connections', connection);
    const key = (await post(first, '/api-keys', { name: 'a' })).json;
    const ca = await readFile(join(data, 'ca.pem'), 'utf8');
    const [used] = await first.control.keys.list();
    await first.close();

    const second = await servers.start({ data, http: false, quotas: { connections: 0 } });
    expect(await second.control.keys.list()).toMatchObject([{ last_used_at: used?.last_used_at }, {}]);
    expect(used?.last_used_at).toEqual(expect.any(String));
    const { keyId, secret, organization } = first;
    expect(second).toMatchObject({ keyId, secret, organization, data, caFile: join(data, 'ca.pem') });
    expect(await readFile(join(data, 'ca.pem'), 'utf8')).toBe(ca);
    expect(at((await get(second, '/connections')).json, 'data.0')).toEqual(created.json);
    const credential = { keyId: String(at(key, 'id')), secret: String(at(key, 'secret')) };
    const quotas = await new Caller(second).send('GET', '/quotas', { credential });
    expect(at(quotas.json, 'data.0')).toMatchObject({
      teams: { limit: 5 },
      connections: { limit: 0, used: 1, remaining: -1 },
      'api-keys': { limit: 20, used: 2 },
    });
    const [again] = await second.control.keys.list();
    expect(again).not.toEqual(used);
    await second.close();
    const third = await servers.start({ data, http: false });
    expect(await third.control.keys.list()).toMatchObject([again, {}]);
  });
});

describe('the master key', () => {
  const one = '1'.repeat(64);

  it('that is not 64 hexadecimal characters is refused without showing it', async () => {
    for (const masterKey of ['', 'x'.repeat(64), `${one}0`]) {
      const started = servers.start({ masterKey });
      await expect(started).rejects.toThrow(ConfigError);
      await expect(started).rejects.toThrow(/^the given master key is not 64 hexadecimal characters$/);
    }
    const { data } = await servers.usedDirectory();
    await writeFile(join(data, 'master.key'), 'cut sho');
    await expect(servers.start({ data })).rejects.toMatchObject({
      message: expect.stringContaining('is not 64 hexadecimal characters'),
      // Not to make another, which would replace what is left of it.
      details: { hint: expect.stringMatching(/^restore the file from a backup/) },
    });
  });
});
