import { describe, expect, it } from 'vitest';
import { ConfigError, UsageError } from '../../src/errors/errors.js';
import type { RunningServer } from '../../src/server/index.js';
import { at, Caller } from './support/caller.js';
import { useServers } from './support/start.js';

const servers = useServers();

function post(server: RunningServer, target: string, body: unknown) {
  return new Caller(server).send('POST', target, { body });
}

function get(server: RunningServer, target: string) {
  return new Caller(server).send('GET', target);
}

describe('the first key', () => {
  const bootstrap = { keyId: 'key_mine', secret: 's'.repeat(64) };

  it('given again must be the stored one', async () => {
    const { data } = await servers.usedDirectory({ bootstrap });
    for (const changed of [{ keyId: 'key_other' }, { secret: 't'.repeat(64) }]) {
      const started = servers.start({ data, bootstrap: { ...bootstrap, ...changed } });
      await expect(started).rejects.toThrow(ConfigError);
      await expect(started).rejects.not.toThrow(bootstrap.secret);
    }
    expect(await servers.start({ data, bootstrap })).toMatchObject(bootstrap);
  });

  it.each([
    { keyId: 'mine' },
    { keyId: 'key_a:b' },
    { secret: 'short' },
    { secret: 's'.repeat(65) },
    { secret: `${'s'.repeat(63)}\n` },
    { secret: `${'s'.repeat(63)}é` },
  ])('is refused when it is malformed: %j', async (malformed) => {
    const error = 'keyId' in malformed ? UsageError : ConfigError;
    await expect(servers.start({ bootstrap: malformed })).rejects.toThrow(error);
  });

  it('that was deleted is succeeded by the oldest that can be used', async () => {
    const data = await servers.directory();
    const first = await servers.start({ data });
    const keys = [];
    for (const name of ['disabled', 'next', 'last']) {
      keys.push((await post(first, '/api-keys', { name })).json);
    }
    const caller = new Caller(first);
    await caller.send('PATCH', `/api-keys/${String(at(keys[0], 'id'))}`, { body: { enabled: false } });
    await caller.send('DELETE', `/api-keys/${first.keyId}`);
    await first.close();
    const second = await servers.start({ data });
    expect(second).toMatchObject({ keyId: at(keys[1], 'id'), secret: at(keys[1], 'secret') });
    expect((await get(second, '/quotas')).status).toBe(200);
  });

  it('is issued anew when none is left', async () => {
    const data = await servers.directory();
    const first = await servers.start({ data });
    await post(first, '/teams', { name: 'still here' });
    await new Caller(first).send('DELETE', `/api-keys/${first.keyId}`);
    expect((await get(first, '/quotas')).status).toBe(401);
    await first.close();
    const second = await servers.start({ data });
    expect(second.keyId).not.toBe(first.keyId);
    expect(second.organization).toBe(first.organization);
    expect(at((await get(second, '/quotas')).json, 'data.0')).toMatchObject({
      'api-keys': { used: 1 },
      teams: { used: 1 },
    });
  });
});

/** Stops a server of whose keys none can be used any more: deleted, or disabled. */
async function withoutKey(end: 'DELETE' | 'PATCH', quota: number) {
  const data = await servers.directory();
  const server = await servers.start({ data });
  const { keyId } = server;
  server.control.quotas.set({ 'api-keys': quota });
  await new Caller(server).send(
    end,
    `/api-keys/${keyId}`,
    end === 'PATCH' ? { body: { enabled: false } } : {},
  );
  await server.close();
  return { data, keyId };
}

describe('a start without any key that can be used', () => {
  it('says how to give room for another one', async () => {
    const { data } = await withoutKey('DELETE', 0);
    const started = servers.start({ data });
    await expect(started).rejects.toThrow(ConfigError);
    await expect(started).rejects.toMatchObject({
      message: expect.stringContaining('0 of 0 used'),
      details: { hint: expect.stringContaining("`quotas['api-keys']: 1`") },
    });
    const again = await servers.start({ data, quotas: { 'api-keys': 1 } });
    expect((await get(again, '/quotas')).status).toBe(200);
  });

  it('issues no other in the place of those that were disabled, unless it is asked for', async () => {
    const { data, keyId } = await withoutKey('PATCH', 1);
    for (const bootstrap of [{}, { keyId }]) {
      const started = servers.start({ data, bootstrap });
      await expect(started).rejects.toThrow(ConfigError);
      await expect(started).rejects.toMatchObject({
        details: { hint: expect.stringContaining('`bootstrap.keyId: key_') },
      });
    }
    const bootstrap = { keyId: 'key_next' };
    const full = servers.start({ data, bootstrap });
    await expect(full).rejects.toThrow(ConfigError);
    await expect(full).rejects.toMatchObject({
      details: { hint: expect.stringContaining("`quotas['api-keys']: 2`") },
    });
    const again = await servers.start({ data, bootstrap, quotas: { 'api-keys': 2 } });
    expect(again).toMatchObject(bootstrap);
    expect((await get(again, '/quotas')).status).toBe(200);
    await again.close();
    expect(await servers.start({ data })).toMatchObject(bootstrap);
  });
});
