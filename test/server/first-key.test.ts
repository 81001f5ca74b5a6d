import { describe, expect, it } from 'vitest';
import { ConfigError, UsageError } from '../../src/errors/errors.js';
import type { RunningServer } from '../../src/server/index.js';
import { at, Caller } from './support/caller.js';
import { useServers } from './support/start.js';

const servers = useServers();

const get = (server: RunningServer, target: string) => new Caller(server).send('GET', target);

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

  it('that was deleted is succeeded by the oldest that can be used; where none is left, one is issued', async () => {
    const data = await servers.directory();
    const first = await servers.start({ data });
    const { keys } = first.control;
    await new Caller(first).send('POST', '/teams', { body: { name: 'still here' } });
    const [disabled, next] = [await keys.issue(), await keys.issue(), await keys.issue()];
    await keys.disable(disabled.id);
    await keys.revoke(first.keyId);
    await first.close();
    const second = await servers.start({ data });
    expect(second).toMatchObject({ keyId: next.id, secret: next.secret });
    expect((await get(second, '/quotas')).status).toBe(200);
    for (const { id } of await second.control.keys.list()) await second.control.keys.revoke(id);
    await second.close();
    const third = await servers.start({ data });
    expect(third.organization).toBe(first.organization);
    const quotas = { 'api-keys': { used: 1 }, teams: { used: 1 } };
    expect(at((await get(third, '/quotas')).json, 'data.0')).toMatchObject(quotas);
  });
});

/** Stops a server of whose keys none can be used any more. */
async function withoutKey(end: 'revoke' | 'disable', quota: number) {
  const data = await servers.directory();
  const { control, close, keyId } = await servers.start({ data });
  await control.quotas.set({ 'api-keys': quota });
  await control.keys[end](keyId);
  await close();
  return { data, keyId };
}

/** A refusal of a start, by words of its hint. */
const refusal = (hint: string, message = '') => ({
  name: 'ConfigError',
  message: expect.stringContaining(message),
  details: { hint: expect.stringContaining(hint) },
});

describe('a start without any key that can be used', () => {
  it('says how to give room for another one', async () => {
    const { data } = await withoutKey('revoke', 0);
    const room = refusal('raise the quota for API keys to 1', '0 of 0 used');
    await expect(servers.start({ data })).rejects.toMatchObject(room);
    const again = await servers.start({ data, quotas: { 'api-keys': 1 } });
    expect((await get(again, '/quotas')).status).toBe(200);
  });

  it('issues no other in the place of those that were disabled, unless it is asked for', async () => {
    const { data, keyId } = await withoutKey('disable', 1);
    for (const bootstrap of [{}, { keyId }]) {
      const started = servers.start({ data, bootstrap });
      await expect(started).rejects.toMatchObject(refusal('choose a new ID for the first key'));
    }
    const bootstrap = { keyId: 'key_next' };
    const full = servers.start({ data, bootstrap });
    await expect(full).rejects.toMatchObject(refusal('raise the quota for API keys to 2'));
    const again = await servers.start({ data, bootstrap, quotas: { 'api-keys': 2 } });
    expect(again).toMatchObject(bootstrap);
    expect((await get(again, '/quotas')).status).toBe(200);
    // It stays the first one, although an older one can be used again.
    await again.control.keys.enable(keyId);
    await again.close();
    expect(await servers.start({ data })).toMatchObject(bootstrap);
  });
});
