import { describe, expect, it } from 'vitest';
import type { LogEntry, RunningServer, Seed } from '../../src/server/index.js';
import { at, Caller } from '../support/caller.js';
import { useServers } from '../support/servers.js';

const servers = useServers();

const secret = (letter: string) => letter.repeat(64);
const postgres = { host: 'h', port: 5432, database: 'd', user: 'u', password: 'hunter2', ssl: true };

const twoOrganizations: Seed = {
  organizations: [
    {
      id: 'org_acme',
      name: 'acme',
      quotas: { connections: 3 },
      keys: [
        { id: 'key_acme', secret: secret('a'), name: 'ci' },
        { id: 'key_off', secret: secret('b'), enabled: false },
      ],
      connections: [
        { id: 'conn_app', name: 'app', type: 'pg', config: postgres },
        { name: 'cache', type: 'redis', config: { url: 'redis://h' } },
      ],
      teams: [{ id: 'team_one', name: 'one' }, { name: 'two' }],
    },
    {
      name: 'other',
      quotas: { connections: 0 },
      keys: [{ id: 'key_other', secret: secret('c') }],
      teams: [{ name: 'theirs' }],
    },
  ],
};

const other = { keyId: 'key_other', secret: secret('c') };

describe('a seed', () => {
  it('fills only an empty store; one with data is left as it is, with a warning', async () => {
    const data = await servers.directory();
    const first = await servers.start({ data, seed: twoOrganizations });
    await new Caller(first).send('DELETE', '/teams/team_one');
    await first.close();
    const log: LogEntry[] = [];
    const again = await servers.start({ data, seed: twoOrganizations, onLog: (entry) => log.push(entry) });
    expect(log).toMatchObject([{ event: 'warning', message: expect.stringContaining('not applied') }]);
    expect(again.seededKeys).toEqual(first.seededKeys);
    const caller = new Caller(again);
    expect((await caller.send('GET', '/teams')).json).toMatchObject({ total: 1 });
    await again.control.reset();
    expect((await caller.send('GET', '/teams')).json).toMatchObject({ total: 2 });
    expect((await caller.send('GET', '/quotas', { credential: other })).status).toBe(200);
  });

  it('fills the store again at a reset, with the same IDs and secrets, also after a restart', async () => {
    const data = await servers.directory();
    const organizations = [
      { name: 'a', teams: [{ name: 't' }] },
      { name: 'b', keys: [{ id: 'key_b' }] },
    ];
    const { seededKeys = [], ...first } = await servers.start({ data, seed: { organizations } });
    const teamOf = async (server: RunningServer) =>
      at((await new Caller(server).send('GET', '/teams')).json, 'data.0.id');
    const team = await teamOf(first);
    await new Caller(first).send('DELETE', `/teams/${team}`);
    await first.control.reset();
    expect(await teamOf(first)).toBe(team);
    await first.close();
    const again = await servers.start({ data, seed: { organizations } });
    expect(again.seededKeys).toEqual(seededKeys.filter(({ keyId }) => keyId === 'key_b'));
    await again.control.reset();
    for (const credential of [again, ...seededKeys]) {
      expect((await new Caller(again).send('GET', '/quotas', { credential })).status).toBe(200);
    }
  });
});
