import { expect, it } from 'vitest';
import { at, Caller } from '../support/caller.js';
import { useDatabase } from '../support/databases.js';
import { masterKey } from '../support/servers.js';
import { useServerProcesses } from '../support/use-server-processes.js';

const database = useDatabase();
const processes = useServerProcesses();

const connection = { name: 'main', type: 'x', config: {} };

const seed = {
  organizations: [{ id: 'org_a', name: 'a', teams: [{ id: 'team_one', name: 'one' }] }, { name: 'b' }],
};

/** What a server says of a kind: the quota's count, and the rows that there are. */
async function existing(caller: Caller, kind: string): Promise<{ used: unknown; ids: string[] }> {
  const quotas = await caller.send('GET', '/quotas');
  const list = at((await caller.send('GET', `/${kind}?limit=100`)).json, 'data');
  const ids = Array.isArray(list) ? list.map((item) => String(at(item, 'id'))) : [];
  return { used: at(quotas.json, `data.0.${kind}.used`), ids };
}

it('servers that start at once on an empty database fill it once, and keep to its quotas', async () => {
  const all = { database: await database.fresh(), masterKey, seed, quotas: { connections: 10, teams: 6 } };
  const started = await Promise.all([1, 2, 3].map(() => processes.open(all)));
  const callers = started.map(({ server }) => new Caller(server));
  expect(new Set(callers.map(({ credential }) => JSON.stringify(credential))).size).toBe(1);
  for (const caller of callers) {
    expect(await existing(caller, 'api-keys')).toEqual({ used: 1, ids: [caller.credential.keyId] });
    expect(await existing(caller, 'teams')).toEqual({ used: 1, ids: ['team_one'] });
  }

  const answers = await Promise.all(
    callers.flatMap((caller) =>
      Array.from({ length: 50 }, () => caller.send('POST', '/connections', { body: connection })),
    ),
  );
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(140);
  const made = answers.filter(({ status }) => status === 201).map(({ json }) => String(at(json, 'id')));
  for (const caller of callers) {
    const { used, ids } = await existing(caller, 'connections');
    expect({ used, ids: ids.toSorted() }).toEqual({ used: 10, ids: made.toSorted() });
  }
});
