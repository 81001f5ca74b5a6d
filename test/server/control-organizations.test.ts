import { describe, expect, it } from 'vitest';
import { controlCalls, type TargetParts, writeTarget } from '../../src/api/control/calls.js';
import { controlBodies, controlQueries } from '../../src/api/control/control.js';
import type { RunningServer } from '../../src/server/index.js';
import { controller } from './support/controller.js';
import { useServers } from './support/start.js';

const servers = useServers();

const seed = {
  organizations: ['one', 'two', 'three'].map((name, nth) => ({
    id: `org_${name}`,
    name,
    keys: [{ id: `key_${name}` }],
    teams: [{ id: `team_${name}`, name: `team ${name}` }],
    quotas: { teams: 11 + nth },
  })),
};

/** What the calls change, in lines: each key and team, and the quotas, of each organization. */
async function state(server: RunningServer): Promise<string[]> {
  const lines = (await server.control.keys.list()).map(({ organization, id }) => `${organization} ${id}`);
  for (const { id, quotas } of await server.control.organizations()) {
    lines.push(`${id} ${JSON.stringify(quotas['teams']?.limit)}`);
    lines.push(`${id} ${(await controller(server)('GET', `/teams?organization=${id}`)).text}`);
  }
  return lines;
}

const organization = 'org_two';
const teams = { kind: 'teams' };
const hers = { ...teams, id: 'team_two' };

interface Row extends TargetParts {
  readonly body?: object;
  /** What a read says. Without it, the call is a change. */
  readonly says?: string;
}

const rows: Record<string, Row> = {
  'quotas.get': { query: { organization }, says: '"limit":12' },
  'quotas.set': { body: { organization, limits: { teams: 3 } } },
  'keys.list': { query: { organization }, says: '"key_two"' },
  'keys.issue': { body: { organization } },
  'requests.send': { body: { organization, method: 'GET', target: '/teams' }, says: '"key_two"' },
  'items.list': { params: teams, query: { organization }, says: '"team_two"' },
  'items.create': { params: teams, query: { organization }, body: { name: 'new' } },
  'items.get': { params: hers, query: { organization }, says: '"team_two"' },
  'items.update': { params: hers, query: { organization }, body: { name: 'new' } },
  'items.delete': { params: hers, query: { organization } },
};

describe('each call that takes an organization is about that one, and about no other', () => {
  it('has a row', () => {
    const schemas = Object.entries({ ...controlQueries, ...controlBodies });
    const takers = schemas.filter(([, schema]) => 'organization' in schema.def.shape).map(([name]) => name);
    expect(takers.sort()).toEqual(Object.keys(rows).sort());
  });

  it.each(Object.entries(controlCalls).filter(([name]) => name in rows))('%s', async (name, call) => {
    const row = rows[name] ?? {};
    const server = await servers.start({ seed });
    const before = await state(server);
    const target = writeTarget(call, row);
    const { status, text } = await controller(server)(call.method, target, row.body);
    expect(status).toBe(call.status);
    expect(text).toContain(row.says ?? '');
    expect(text).not.toMatch(/_one|_three/);
    const after = await state(server);
    const changed = [...before, ...after].filter((line) => before.includes(line) !== after.includes(line));
    expect(new Set(changed.map((line) => line.split(' ')[0]))).toEqual(
      new Set(row.says === undefined ? [organization] : []),
    );
  });
});
