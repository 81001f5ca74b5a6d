import { describe, expect, it } from 'vitest';
import { placeMessage } from '../../src/api/schema/schema.js';
import { ConfigError, type OrgctlError, UsageError } from '../../src/errors/errors.js';
import type { LogEntry, RunningServer, Seed } from '../../src/server/index.js';
import { checkSeed } from '../../src/server/seed/schema.js';
import { at, Caller } from './support/caller.js';
import { useServers } from './support/start.js';

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
  it('makes organizations with their keys, quotas and resources', async () => {
    const server = await servers.start({ seed: twoOrganizations });
    const caller = new Caller(server);
    expect(server).toMatchObject({ keyId: 'key_acme', secret: secret('a'), organization: 'org_acme' });
    const data = async (kind: string) => at((await caller.send('GET', `/${kind}`)).json, 'data');
    const quotas = { connections: { limit: 3, used: 2 }, teams: { limit: 20, used: 2 } };
    expect(await data('quotas')).toMatchObject([{ 'api-keys': { limit: 20, used: 2 }, ...quotas }]);
    expect(await data('connections')).toMatchObject([{ id: 'conn_app', name: 'app' }, { name: 'cache' }]);
    expect(await data('teams')).toMatchObject([{ id: 'team_one', name: 'one' }, { name: 'two' }]);
    expect((await caller.send('GET', '/quotas', { credential: other })).json).toMatchObject({
      data: [{ connections: { limit: 0 }, teams: { limit: 20 } }],
    });
    const keys = [
      { id: 'key_acme', name: 'ci', enabled: true },
      { id: 'key_off', enabled: false },
    ];
    expect(await data('api-keys')).toMatchObject(keys);
    const off = { keyId: 'key_off', secret: secret('b') };
    expect((await caller.send('GET', '/quotas', { credential: off })).status).toBe(403);
    // The password was kept: a patch of the port fits the type only together with it.
    const patch = await caller.send('PATCH', '/connections/conn_app', { body: { config: { port: 1 } } });
    expect(patch.status).toBe(200);
  });

  it('generates secrets, identifiers and a first key where it lists none, and tells of them', async () => {
    const seed: Seed = { organizations: [{ name: 'a' }, { name: 'b', keys: [{ id: 'key_b' }] }] };
    const server = await servers.start({ seed });
    const caller = new Caller(server);
    expect(server.keyId).toMatch(/^key_/);
    const { organization, keyId, secret } = server;
    const made = {
      organization: expect.stringMatching(/^org_/),
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    };
    expect(server.seededKeys).toEqual([
      { organization, keyId, secret },
      { ...made, keyId: 'key_b' },
    ]);
    for (const credential of server.seededKeys ?? []) {
      expect((await caller.send('GET', '/quotas', { credential })).status).toBe(200);
    }
  });

  it('has the first of its keys that is enabled as its first one', async () => {
    const keys = [{ id: 'key_off', enabled: false }, { id: 'key_on' }, { id: 'key_other' }];
    const data = await servers.directory();
    const server = await servers.start({ data, seed: { organizations: [{ name: 'a', keys }] } });
    expect(server.keyId).toBe('key_on');
    // Nor is it replaced by one that is enabled later.
    await server.control.keys.enable('key_off');
    await server.close();
    expect((await servers.start({ data })).keyId).toBe('key_on');
  });

  it('has the bootstrap key as its first one where that is given, and its quotas give way to --quota', async () => {
    const bootstrap = { keyId: 'key_mine', secret: secret('m') };
    const server = await servers.start({ seed: twoOrganizations, bootstrap, quotas: { connections: 7 } });
    expect(server).toMatchObject({ keyId: 'key_mine', secret: secret('m'), organization: 'org_acme' });
    expect((await new Caller(server).send('GET', '/quotas')).json).toMatchObject({
      data: [{ 'api-keys': { used: 3 }, connections: { limit: 7 } }],
    });
    const listed = await servers.start({ seed: twoOrganizations, bootstrap: { keyId: 'key_acme' } });
    expect(listed).toMatchObject({ keyId: 'key_acme', secret: secret('a') });
  });

  it('fills an empty store alone; one that is not empty is left as it is, with a warning', async () => {
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

  it('is what a reset comes back to, under the same identifiers and secrets, also after a restart', async () => {
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

  it('that has another first key than the data is not applied, and a bootstrap key of another is refused', async () => {
    const data = await servers.directory();
    await (await servers.start({ data, bootstrap: { keyId: 'key_first' } })).close();
    const seeded = await servers.start({ data, seed: twoOrganizations });
    expect(seeded.keyId).toBe('key_first');
    expect(seeded.seededKeys).toEqual([]);
    await seeded.close();
    const started = servers.start({ data, seed: twoOrganizations, bootstrap: { keyId: 'key_acme' } });
    await expect(started).rejects.toThrow(ConfigError);
  });
});

describe('a seed with problems', () => {
  const organization = (fields: object): Seed => ({
    organizations: [{ name: 'a', ...fields }],
  });

  it('has each of its shape told with its place', () => {
    const place = 'organizations[0]';
    const seed = organization({
      ...{ id: 'acme', nam: 'x', quotas: { cats: 1 } },
      ...{ keys: [{ id: 'key_a', secret: 'short' }, { secret: secret('a') }] },
      connections: [{ name: 'c', type: 'postgresql', config: { ...postgres, port: '1' } }],
    });
    const told = checkSeed(seed);
    const texts = 'problems' in told ? told.problems.map(placeMessage) : [];
    expect(texts.toSorted()).toEqual(
      [
        `${place}.id: must be org_ and letters, digits, - or _`,
        `${place}.quotas: Unrecognized key: "cats"`,
        `${place}.keys[0].secret: must be 64 visible ASCII characters`,
        `${place}.keys[1].id: Invalid input: expected string, received undefined`,
        `${place}.connections[0].config.port: Invalid input: expected number, received string`,
        `${place}: Unrecognized key: "nam"`,
      ].toSorted(),
    );
    for (const wrong of [null, { organizations: [] }, organization({ name: 'a\u0000' })]) {
      expect(checkSeed(wrong)).toHaveProperty('problems');
    }
  });

  it.each<[string, Seed, object, string]>([
    [
      'an ID twice',
      organization({ teams: ['x', 'y'].map((name) => ({ id: 'team_a', name })) }),
      {},
      'appears twice',
    ],
    [
      'more than its quota',
      organization({ quotas: { teams: 0 }, teams: [{ name: 'a' }] }),
      {},
      '0 of 0 used',
    ],
    ['no room for the first key', organization({ quotas: { 'api-keys': 0 } }), {}, '0 of 0 used'],
    [
      'a first key that is disabled',
      organization({ keys: [{ id: 'key_off', enabled: false }] }),
      { bootstrap: { keyId: 'key_off' } },
      'must be enabled',
    ],
    [
      'a first key in another organization',
      twoOrganizations,
      { bootstrap: { keyId: 'key_other' } },
      'appears twice',
    ],
  ])('with %s is refused, and nothing of it is stored', async (_what, seed, options, message) => {
    const data = await servers.directory();
    const refused = servers.start({ data, seed, ...options });
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(message);
    const server = await servers.start({ data });
    expect((await new Caller(server).send('GET', '/api-keys')).json).toMatchObject({ total: 1 });
  });

  it('is refused before anything is done, and no secret of it repeated', async () => {
    const data = await servers.directory();
    const seed: Seed = organization({ keys: [{ id: 'key_a', secret: 'swordfish' }] });
    const refused = servers.start({ data, seed });
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow('invalid seed: organizations[0].keys[0].secret: must be 64');
    const error: OrgctlError = await refused.catch((thrown) => thrown);
    expect(error.details.problems).toEqual([
      'organizations[0].keys[0].secret: must be 64 visible ASCII characters',
    ]);
    const server = await servers.start({ data });
    expect((await new Caller(server).send('GET', '/api-keys')).json).toMatchObject({ total: 1 });
  });
});
