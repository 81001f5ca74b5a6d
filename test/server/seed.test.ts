import { describe, expect, inject, it } from 'vitest';
import { ConfigError, OrgctlError, UsageError } from '../../src/errors/errors.js';
import type { LogEntry, RunningServer, Seed } from '../../src/server/index.js';
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
    { name: 'other', keys: [{ id: 'key_other', secret: secret('c') }], teams: [{ name: 'theirs' }] },
  ],
};

const other = { keyId: 'key_other', secret: secret('c') };

async function problemsOf(started: Promise<RunningServer>): Promise<readonly string[]> {
  const error = await started.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(UsageError);
  return error instanceof OrgctlError ? (error.details.problems ?? [error.message]) : [];
}

describe('a seed', () => {
  it('makes organizations with their keys, quotas and resources', async () => {
    const server = await servers.start({ seed: twoOrganizations });
    const caller = new Caller(server);
    expect(server).toMatchObject({ keyId: 'key_acme', secret: secret('a'), organization: 'org_acme' });
    expect((await caller.send('GET', '/quotas')).json).toMatchObject({
      data: [
        {
          'api-keys': { limit: 20, used: 2, remaining: 18 },
          connections: { limit: 3, used: 2, remaining: 1 },
          teams: { limit: 20, used: 2, remaining: 18 },
        },
      ],
    });
    expect((await caller.send('GET', '/connections')).json).toMatchObject({
      data: [
        { id: 'conn_app', name: 'app' },
        { id: expect.stringMatching(/^conn_/), name: 'cache' },
      ],
    });
    expect((await caller.send('GET', '/teams/team_one')).json).toMatchObject({ name: 'one' });
    expect((await caller.send('GET', '/api-keys')).json).toMatchObject({
      data: [
        { id: 'key_acme', name: 'ci', enabled: true },
        { id: 'key_off', enabled: false },
      ],
    });
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
    expect(server.seededKeys).toEqual([
      { organization: server.organization, keyId: server.keyId, secret: server.secret },
      {
        organization: expect.stringMatching(/^org_/),
        keyId: 'key_b',
        secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    for (const credential of server.seededKeys ?? []) {
      expect((await caller.send('GET', '/quotas', { credential })).status).toBe(200);
    }
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

  it('is what a reset comes back to, under the same identifiers and secrets', async () => {
    const seed: Seed = {
      organizations: [
        { name: 'a', teams: [{ name: 't' }] },
        { name: 'b', keys: [{ id: 'key_b' }] },
      ],
    };
    const server = await servers.start({ seed });
    const caller = new Caller(server);
    const before = (await caller.send('GET', '/teams')).json;
    await caller.send('DELETE', `/teams/${at(before, 'data.0.id')}`);
    await server.control.reset();
    expect(at((await caller.send('GET', '/teams')).json, 'data.0.id')).toBe(at(before, 'data.0.id'));
    for (const credential of server.seededKeys ?? []) {
      expect((await caller.send('GET', '/quotas', { credential })).status).toBe(200);
    }
  });

  it('comes back with the secrets that were generated, also after a restart', async () => {
    const data = await servers.directory();
    const seed: Seed = { organizations: [{ name: 'a' }, { name: 'b', keys: [{ id: 'key_b' }] }] };
    const { seededKeys = [], ...first } = await servers.start({ data, seed });
    await first.close();
    const again = await servers.start({ data, seed });
    expect(again.seededKeys).toEqual(seededKeys.filter(({ keyId }) => keyId === 'key_b'));
    await again.control.reset();
    for (const { keyId, secret } of [again, ...seededKeys]) {
      const answer = await new Caller(again).send('GET', '/quotas', { credential: { keyId, secret } });
      expect(answer.status).toBe(200);
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

// What is wrong with a seed does not depend on the engine.
describe.runIf(inject('engine') === 'embedded')('a seed with problems', () => {
  const organization = (fields: object) => ({ organizations: [{ name: 'a', ...fields }] });

  it.each<[unknown, string[]]>([
    [null, ['must be an object with organizations']],
    [{ organizations: [] }, ['organizations: must not be empty']],
    [
      organization({ nam: 'x' }),
      ['organizations[0]: unknown field "nam"; known fields: id, name, quotas, keys, connections, teams'],
    ],
    [organization({ id: 'acme' }), ['organizations[0].id: must be org_ and letters, digits, - or _']],
    [
      organization({ keys: [{ id: 'key_a', secret: 'short' }, { secret: secret('a') }] }),
      [
        'organizations[0].keys[0].secret: must be 64 visible ASCII characters',
        'organizations[0].keys[1].id: required (string)',
      ],
    ],
    [
      organization({ connections: [{ name: 'c', type: 'postgresql', config: { ...postgres, port: '1' } }] }),
      ['organizations[0].connections[0].config.port: must be a number, not a string'],
    ],
    [
      organization({ connections: [{ name: 'c', type: 'x', config: { list: Array(1000).fill(0) } }] }),
      ['organizations[0].connections[0].config: has more than 1000 fields and list items'],
    ],
    [organization({ quotas: { cats: 1 } }), ['organizations[0].quotas: unknown field "cats"']],
    [
      organization({ quotas: { 'api-keys': 1 }, keys: [{ id: 'key_a', enabled: false }] }),
      ['organizations[0].keys: 2 api-keys, the first key included, are more than the quota of 1'],
    ],
    [
      {
        organizations: [
          { id: 'org_a', name: 'a', keys: [{ id: 'key_a' }] },
          {
            id: 'org_a',
            name: 'b',
            keys: [{ id: 'key_a' }],
            teams: [
              { id: 'team_a', name: 'x' },
              { id: 'team_a', name: 'y' },
            ],
          },
        ],
      },
      [
        'organizations[1].id: org_a appears twice',
        'organizations[1].keys[0].id: key_a appears twice',
        'organizations[1].teams[1].id: team_a appears twice',
      ],
    ],
    [
      organization({ name: 'a\u0000', teams: [{ name: '\ud800' }] }),
      [
        'organizations[0].name: has text with a NUL or half a surrogate pair',
        'organizations[0].teams[0].name: has text with a NUL or half a surrogate pair',
      ],
    ],
  ])('%j', async (seed, problems) => {
    const data = await servers.directory();
    // What a program in JavaScript may hand over.
    const options = JSON.parse(JSON.stringify({ data, seed }));
    if (seed === null) options.seed = null;
    expect(await problemsOf(servers.start(options))).toEqual(problems);
    // Nothing of it was done.
    const server = await servers.start({ data });
    expect((await new Caller(server).send('GET', '/api-keys')).json).toMatchObject({ total: 1 });
  });

  it('repeats no secret', async () => {
    const seed: Seed = { organizations: [{ name: 'a', keys: [{ id: 'key_a', secret: 'swordfish' }] }] };
    expect((await problemsOf(servers.start({ seed }))).join()).not.toContain('swordfish');
  });
});
