import { describe, expect, it } from 'vitest';
import type { RunningServer } from '../../src/server/index.js';
import { type Answer, at } from './support/caller.js';
import { useControlledServers } from './support/controller.js';

const { servers, started } = useControlledServers();

function used(answer: Answer): unknown {
  return at(answer.json, 'data.0.teams.used');
}

describe('snapshot, restore and reset', () => {
  it('bring back what was, exactly: order of creation, counts, and passwords and secrets as they were sealed', async () => {
    const { control, caller } = await started();
    const created = await caller.send('POST', '/api-keys', { body: { name: 'b' } });
    const credential = { keyId: String(at(created.json, 'id')), secret: String(at(created.json, 'secret')) };
    for (const name of ['z', 'a', 'm']) await caller.send('POST', '/teams', { body: { name } });
    const config = { host: 'h', port: 1, database: 'd', user: 'u', password: 'hunter2', ssl: true };
    const connection = await caller.send('POST', '/connections', { body: { name: 'c', type: 'pg', config } });
    const target = `/connections/${at(connection.json, 'id')}`;
    const before = [(await caller.send('GET', '/teams')).json, (await caller.send('GET', '/quotas')).json];
    expect(at(before[0], 'data')).toMatchObject([{ name: 'z' }, { name: 'a' }, { name: 'm' }]);
    const { json, status } = await control('POST', '/snapshot');
    expect(status).toBe(201);
    const snapshot = at(json, 'snapshot');
    await caller.send('POST', '/teams', { body: { name: 'later' } });
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
      rateLimit: { requests: 50, window: 3_600_000 },
      quotas: { teams: 2 },
    });
    const shifted = async () => ({
      timestamp: String(Math.floor((Date.now() + (await server.control.clock.get()).offset) / 1000)),
    });
    await caller.send('POST', '/teams', { ...(await shifted()), body: { name: 'a' } });
    await caller.send('GET', '/nothing');
    await server.control.quotas.set({ teams: 0, connections: 0 });
    await server.control.clock.advance('1h');
    await server.control.keys.disable(server.keyId);
    await control('POST', '/reset');
    expect((await server.control.clock.get()).offset).toBe(60_000);
    const fault = { rule: 'GET /nothing=500x1', hits: 0, remaining: 1 };
    expect(await server.control.faults.get()).toEqual([fault]);
    expect(await server.control.journal.get()).toEqual([]);
    const quotas = { teams: { limit: 2, used: 0 }, connections: { limit: 10 }, 'api-keys': { used: 1 } };
    expect((await caller.send('GET', '/quotas', await shifted())).json).toMatchObject({ data: [quotas] });
    expect((await caller.send('GET', '/api-keys', await shifted())).json).toMatchObject({
      data: [{ id: server.keyId, enabled: true }],
    });
  });

  it('know when keys were last used: a snapshot up to then, and data that is restored or reset not after it', async () => {
    const data = await servers.directory();
    const lastUse = async (of: RunningServer) => (await of.control.keys.list())[0]?.last_used_at;
    const { server, caller } = await started({ data });
    const unused = await server.control.snapshot();
    await caller.send('GET', '/quotas');
    const used = await server.control.snapshot();
    await caller.send('GET', '/quotas');
    await server.control.reset();
    expect(await lastUse(server)).toBeNull();
    await server.control.restore(used);
    expect(await lastUse(server)).toEqual(expect.any(String));
    await caller.send('GET', '/quotas');
    await server.control.restore(unused);
    await server.close();
    expect(await lastUse((await started({ data })).server)).toBeNull();
  });

  it('keep the count exact and answer nothing worse than a refusal while clients write', async () => {
    const { server, caller } = await started({ quotas: { teams: 1000 } });
    const snapshot = await server.control.snapshot();
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
    const left = at((await caller.send('GET', '/teams?limit=100')).json, 'data.length');
    expect(used(await caller.send('GET', '/quotas'))).toBe(left);
  });

  it('keeps the last 20 snapshots, and gives no name twice', async () => {
    const { server } = await started();
    const names = [];
    for (let taken = 0; taken < 22; taken += 1) names.push(await server.control.snapshot());
    expect((await server.control.snapshots()).map(({ snapshot }) => snapshot)).toEqual(names.slice(2));
    await expect(server.control.restore(String(names[1]))).rejects.toThrow('snapshot "snapshot_2" not found');
    await server.control.restore(String(names[2]));
  });
});

describe('faults', () => {
  it('are told, set and cleared', async () => {
    const { control, caller } = await started({ faults: ['GET /teams=500'] });
    const set = await control('PUT', '/faults', { rules: ['GET /quotas=503x2'] });
    expect(set.json).toEqual({ faults: [{ rule: 'GET /quotas=503x2', hits: 0, remaining: 2 }] });
    expect((await caller.send('GET', '/quotas')).status).toBe(503);
    expect((await caller.send('GET', '/teams')).status).toBe(200);
    expect((await control('GET', '/faults')).json).toEqual({
      faults: [{ rule: 'GET /quotas=503x2', hits: 1, remaining: 1 }],
    });
    const refused = await control('PUT', '/faults', { rules: ['GET /quotas=500', 'nonsense'] });
    expect(refused.json).toMatchObject({ message: expect.stringContaining('METHOD /path=EFFECT') });
    expect((await caller.send('GET', '/quotas')).status).toBe(503);
    expect((await control('DELETE', '/faults')).status).toBe(204);
    expect((await control('GET', '/faults')).json).toEqual({ faults: [] });
  });
});

describe('quotas', () => {
  it('are set, also below what is used', async () => {
    const { server, control, caller } = await started();
    await caller.send('POST', '/teams', { body: { name: 'a' } });
    const set = await control('PUT', '/quotas', { limits: { teams: 0 } });
    const teams = { limit: 0, used: 1, remaining: -1 };
    expect(set.json).toMatchObject({ teams, connections: { limit: 10 } });
    const refused = await caller.send('POST', '/teams', { body: { name: 'b' } });
    expect(at(refused.json, 'message')).toBe(
      'Quota exceeded: maximum 0 teams allowed per organization (currently: 1)',
    );
    await server.control.quotas.set({ teams: 5 }, server.organization);
    expect((await caller.send('POST', '/teams', { body: { name: 'b' } })).status).toBe(201);
  });
});

describe('keys', () => {
  it('are issued, disabled, enabled and revoked, at once', async () => {
    const { server, control, caller } = await started();
    const issued = await control('POST', '/keys', { name: 'ci' });
    expect(issued.status).toBe(201);
    expect(issued.json).toMatchObject({ name: 'ci', enabled: true, organization: server.organization });
    const id = String(at(issued.json, 'id'));
    const credential = { keyId: id, secret: String(at(issued.json, 'secret')) };
    const status = async () => (await caller.send('GET', '/quotas', { credential })).status;
    expect(await status()).toBe(200);
    expect((await control('POST', `/keys/${id}/disable`)).json).toMatchObject({ id, enabled: false });
    expect(await status()).toBe(403);
    expect((await control('POST', `/keys/${id}/enable`)).json).toMatchObject({ id, enabled: true });
    expect(await status()).toBe(200);
    expect(at((await caller.send('GET', '/quotas')).json, 'data.0.api-keys.used')).toBe(2);
    expect((await control('DELETE', `/keys/${id}`)).status).toBe(204);
    expect(await status()).toBe(401);
    expect(at((await caller.send('GET', '/quotas')).json, 'data.0.api-keys.used')).toBe(1);
  });

  it('can be given their ID and secret, once, and only as many as the quota allows', async () => {
    const { server, control, caller } = await started({ quotas: { 'api-keys': 2 } });
    const key = { id: 'key_mine', secret: 's'.repeat(64) };
    expect((await control('POST', '/keys', key)).status).toBe(201);
    const credential = { keyId: key.id, secret: key.secret };
    expect((await caller.send('GET', '/quotas', { credential })).status).toBe(200);
    await server.control.quotas.set({ 'api-keys': 3 });
    expect((await control('POST', '/keys', key)).status).toBe(409);
    await server.control.quotas.set({ 'api-keys': 2 });
    const refused = await control('POST', '/keys', {});
    expect(refused.json).toEqual({
      statusCode: 403,
      message: 'Quota exceeded: maximum 2 api-keys allowed per organization (currently: 2)',
    });
  });
});
