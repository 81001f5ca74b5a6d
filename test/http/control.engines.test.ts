import { describe, expect, it } from 'vitest';
import { type Answer, at } from '../support/caller.js';
import { useControlledServers } from './support/controller.js';

const { started } = useControlledServers();

function used(answer: Answer): unknown {
  return at(answer.json, 'data.0.teams.used');
}

describe('snapshot, restore and reset', () => {
  it('restore the data exactly: order of creation, counts, and passwords and secrets as they were sealed', async () => {
    const { control, caller } = await started();
    const created = await caller.send('POST', '/api-keys', { body: { name: 'b' } });
    const credential = { keyId: String(at(created.json, 'id')), secret: String(at(created.json, 'secret')) };
    for (const name of ['z', 'a', 'm']) await caller.send('POST', '/teams', { body: { name } });
    const config = { host: 'h', port: 1, database: 'd', user: 'u', password: 'hunter2', ssl: true };
    const connection = await caller.send('POST', '/connections', { body: { name: 'c', type: 'pg', config } });
    const target = `/connections/${at(connection.json, 'id')}`;
    const before = [(await caller.send('GET', '/teams')).json, (await caller.send('GET', '/quotas')).json];
    expect(at(before[0], 'data')).toMatchObject([{ name: 'z' }, { name: 'a' }, { name: 'm' }]);
    expect((await control('POST', '/keys', { id: credential.keyId })).status).toBe(409);
    const { json, status } = await control('POST', '/snapshot');
    expect(status).toBe(201);
    const snapshot = at(json, 'snapshot');
    await caller.send('POST', '/teams', { body: { name: 'later' } });
    await control('POST', '/snapshot');
    await caller.send('DELETE', target);
    expect((await control('POST', '/restore', { snapshot })).json).toEqual({ snapshot });
    expect((await control('POST', '/reset')).status).toBe(200);
    expect(used(await caller.send('GET', '/quotas'))).toBe(0);
    expect((await caller.send('GET', '/quotas', { credential })).status).toBe(401);
    expect((await control('POST', '/restore', { snapshot })).status).toBe(200);
    expect((await caller.send('GET', '/quotas', { credential })).status).toBe(200);
    expect([(await caller.send('GET', '/teams')).json, (await caller.send('GET', '/quotas')).json]).toEqual(
      before,
    );
    // A patch reads the sealed settings, and would be refused without the password.
    expect((await caller.send('PATCH', target, { body: { config: { port: 2 } } })).status).toBe(200);
  });

  it('reset makes the server what it was at its start', async () => {
    const { server, control, caller } = await started({
      clockOffset: 60_000,
      faults: ['GET /nothing=500x1'],
      rateLimit: { requests: 3, window: 3_600_000 },
      quotas: { teams: 2 },
    });
    const shifted = async () => ({
      timestamp: String(Math.floor((Date.now() + (await server.control.clock.get()).offset) / 1000)),
    });
    await caller.send('POST', '/teams', { ...(await shifted()), body: { name: 'a' } });
    await caller.send('GET', '/nothing');
    await server.control.quotas.set({ teams: 0, connections: 0 });
    const over = await caller.send('POST', '/teams', { ...(await shifted()), body: { name: 'b' } });
    expect(over.text).toContain('maximum 0 teams allowed per organization (currently: 1)');
    await server.control.clock.advance('1h');
    await server.control.keys.disable(server.keyId);
    const fault = { rule: 'GET /nothing=500x1', hits: 0, remaining: 1 };
    expect(await server.control.faults.get()).toEqual([{ ...fault, hits: 1, remaining: 0 }]);
    await control('DELETE', '/rate-limit');
    await control('POST', '/reset');
    expect((await control('GET', '/rate-limit')).text).toContain('"requests":3');
    expect((await server.control.clock.get()).offset).toBe(60_000);
    expect(await server.control.faults.get()).toEqual([fault]);
    expect(await server.control.journal.get()).toEqual([]);
    const quotas = { teams: { limit: 2, used: 0 }, connections: { limit: 10 }, 'api-keys': { used: 1 } };
    expect((await caller.send('GET', '/quotas', await shifted())).json).toMatchObject({ data: [quotas] });
    expect((await caller.send('GET', '/api-keys', await shifted())).json).toMatchObject({
      data: [{ id: server.keyId, enabled: true }],
    });
  });

  it('keep the count exact while clients write, and fail none of their requests', async () => {
    const { server, caller } = await started({ quotas: { teams: 1000 } });
    const snapshot = await server.control.snapshot();
    for (let taken = 1; taken < 20; taken += 1) await server.control.snapshot();
    let stop = false;
    const writer = async () => {
      const statuses = new Set<number>();
      while (!stop) statuses.add((await caller.send('POST', '/teams', { body: { name: 'a' } })).status);
      return statuses;
    };
    const writers = [writer(), writer(), writer()];
    for (let round = 0; round < 10; round += 1) {
      await (round % 2 === 0 ? server.control.restore(snapshot) : await server.control.reset());
    }
    stop = true;
    for (const statuses of await Promise.all(writers)) expect([...statuses]).toEqual([201]);
    await server.control.snapshot();
    await expect(server.control.restore(snapshot)).rejects.toThrow('not found');
    const left = at((await caller.send('GET', '/teams?limit=100')).json, 'data.length');
    expect(used(await caller.send('GET', '/quotas'))).toBe(left);
  });
});
