import { describe, expect, it } from 'vitest';
import type { QuotaKind } from '../../src/api/resources/index.js';
import type { ServerOptions } from '../../src/server/index.js';
import { at, Caller, quotaHeadersOf } from '../support/caller.js';
import { useServers } from '../support/servers.js';

describe('quotas (reference, section 8)', () => {
  const servers = useServers();
  const connection = { name: 'a', type: 'sqlite', config: {} };

  async function start(quotas: ServerOptions['quotas']) {
    return new Caller(await servers.start({ quotas }));
  }

  it.each<[QuotaKind, unknown, number]>([
    ['teams', { name: 'a' }, 0],
    ['connections', connection, 0],
    // The first key counts.
    ['api-keys', { name: 'a' }, 1],
  ])('a POST over the limit of %s is refused and creates nothing', async (kind, body, used) => {
    const caller = await start({ [kind]: used + 1 });
    const figures = [used + 1, used + 1, 0].map(String);
    expect(quotaHeadersOf(await caller.send('POST', `/${kind}`, { body }))).toEqual(figures);
    const refused = await caller.send('POST', `/${kind}`, { body });
    const message = `Quota exceeded: maximum ${used + 1} ${kind} allowed per organization (currently: ${used + 1})`;
    expect(refused.json).toEqual({ statusCode: 403, message });
    expect([refused.status, ...quotaHeadersOf(refused)]).toEqual([403, ...figures]);
    expect(at((await caller.send('GET', `/${kind}`)).json, 'total')).toBe(used + 1);
  });

  it('is exact when 50 POSTs race for 10 places', async () => {
    const caller = await start({ connections: 10 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => caller.send('POST', '/connections', { body: connection })),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array(10).fill(201), ...Array(40).fill(403)]);
    const list = await caller.send('GET', '/connections?limit=100');
    expect([at(list.json, 'total'), at(list.json, 'data.length')]).toEqual([10, 10]);
    expect(quotaHeadersOf(list)).toEqual(['10', '10', '0']);
  });

  it('is exact when creating and deleting race', async () => {
    const caller = await start({ teams: 100 });
    const churn = async () => {
      const { json } = await caller.send('POST', '/teams', { body: { name: 'a' } });
      const target = `/teams/${String(at(json, 'id'))}`;
      const twice = await Promise.all([caller.send('DELETE', target), caller.send('DELETE', target)]);
      return twice.map(({ status }) => status).toSorted();
    };
    const churned = await Promise.all(Array.from({ length: 20 }, churn));
    expect(churned).toEqual(churned.map(() => [204, 404]));
    expect(at((await caller.send('GET', '/quotas')).json, 'data.0.teams.used')).toBe(0);
  });
});
