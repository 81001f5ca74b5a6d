import { describe, expect, it } from 'vitest';
import {
  rateLimitAnswerSchema,
  snapshotsAnswerSchema,
  statusAnswerSchema,
} from '../../src/api/control/control-answers.js';
import type { ProfileToSave } from '../../src/server/index.js';
import { Caller } from './support/caller.js';
import { controller } from './support/controller.js';
import { useServers } from './support/start.js';

const servers = useServers();

describe('the rate limit', () => {
  it('is set, seen and lifted while the server runs, and is that of the start again after a reset', async () => {
    const server = await servers.start({ rateLimit: { requests: 1, window: 60_000 } });
    const control = controller(server);
    const ask = async () => (await new Caller(server).send('GET', '/quotas')).status;
    const state = async (path = '/rate-limit') =>
      rateLimitAnswerSchema.parse((await control('GET', path)).json).rateLimit;
    expect([await ask(), await ask()]).toEqual([200, 429]);
    const set = await control('PUT', '/rate-limit', { requests: 2, window: '1h' });
    expect(set.json).toEqual({ rateLimit: { requests: 2, window: 3_600_000 } });
    expect(await state('/status')).toEqual({ requests: 2, window: 3_600_000 });
    // The request before counts.
    expect([await ask(), await ask(), await ask()]).toEqual([200, 429, 429]);
    expect((await control('DELETE', '/rate-limit')).status).toBe(204);
    expect(await state()).toBeNull();
    expect([await ask(), await ask()]).toEqual([200, 200]);
    await control('POST', '/reset');
    expect(await state()).toEqual({ requests: 1, window: 60_000 });
    expect([await ask(), await ask()]).toEqual([200, 429]);
    await control('POST', '/reset');
    expect(await ask()).toBe(200);
  });
});

it('snapshots are listed, oldest first, with their times', async () => {
  const control = controller(await servers.start({ clock: () => Date.UTC(2030, 0) }));
  const time = '2030-01-01T00:00:00.000Z';
  const expected = ['snapshot_1', 'snapshot_2'].map((snapshot) => ({ snapshot, time }));
  for (const { snapshot } of expected)
    expect((await control('POST', '/snapshot')).json).toEqual({ snapshot });
  const { snapshots } = snapshotsAnswerSchema.parse((await control('GET', '/snapshots')).json);
  expect(snapshots).toEqual(expected);
});

describe('an issued key as a profile', () => {
  async function withProfiles(taken: readonly string[] = []) {
    const saved: ProfileToSave[] = [];
    const server = await servers.start({
      async saveProfile(profile) {
        if (taken.includes(profile.name)) return false;
        saved.push(profile);
        return true;
      },
    });
    return { server, control: controller(server), saved };
  }

  it('is kept by whoever started the server', async () => {
    const { server, control, saved } = await withProfiles();
    expect(statusAnswerSchema.parse((await control('GET', '/status')).json).savesProfiles).toBe(true);
    const { id: keyId, secret } = await server.control.keys.issue();
    const kept = await control('POST', '/profiles', { name: 'ci', keyId, secret });
    expect([kept.status, kept.json]).toEqual([201, { profile: 'ci' }]);
    expect(saved).toEqual([{ name: 'ci', url: server.url, keyId, secret, caFile: undefined }]);
  });

  it('is not kept under a name that is taken, nor with a secret that is not its own', async () => {
    const { server, control, saved } = await withProfiles(['ci']);
    const { id: keyId, secret } = await server.control.keys.issue();
    const taken = await control('POST', '/profiles', { name: 'ci', keyId, secret });
    expect(taken.json).toEqual({ statusCode: 409, message: 'profile "ci" already exists' });
    const wrong = await control('POST', '/profiles', { name: 'other', keyId, secret: 'x'.repeat(64) });
    expect(wrong.status).toBe(400);
    const unknown = await control('POST', '/profiles', { name: 'other', keyId: 'key_none', secret });
    expect(unknown.status).toBe(404);
    expect(saved).toEqual([]);
    // Nor by a server that was given no way to.
    const without = await servers.start();
    const own = { name: 'ci', keyId: without.keyId, secret: without.secret };
    expect((await without.control.status()).savesProfiles).toBe(false);
    const refused = await controller(without)('POST', '/profiles', own);
    expect(refused.json).toEqual({ statusCode: 404, message: 'this server cannot save profiles' });
  });
});
