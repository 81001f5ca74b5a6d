import { describe, expect, it } from 'vitest';
import {
  rateLimitAnswerSchema,
  snapshotsAnswerSchema,
  statusAnswerSchema,
} from '../../src/api/control/control-answers.js';
import type { ProfileToSave } from '../../src/server/index.js';
import { at, Caller } from './support/caller.js';
import { controller } from './support/controller.js';
import { useServers } from './support/start.js';

const servers = useServers();

describe('the rate limit', () => {
  it('is set, seen and lifted while the server runs', async () => {
    const server = await servers.start();
    const control = controller(server);
    const caller = new Caller(server);
    const state = async (path = '/rate-limit') =>
      rateLimitAnswerSchema.parse((await control('GET', path)).json).rateLimit;
    expect(await state()).toBeNull();
    const set = await control('PUT', '/rate-limit', { requests: 1, window: '1h' });
    expect(set.json).toEqual({ rateLimit: { requests: 1, window: 3_600_000 } });
    expect(await state('/status')).toEqual({ requests: 1, window: 3_600_000 });
    expect((await caller.send('GET', '/quotas')).status).toBe(200);
    expect((await caller.send('GET', '/quotas')).status).toBe(429);
    expect((await control('DELETE', '/rate-limit')).status).toBe(204);
    expect(await state()).toBeNull();
    expect((await caller.send('GET', '/quotas')).status).toBe(200);
  });

  it('is that of the start again after a reset', async () => {
    const server = await servers.start({ rateLimit: { requests: 1, window: 60_000 } });
    const control = controller(server);
    const caller = new Caller(server);
    await caller.send('GET', '/quotas');
    expect((await caller.send('GET', '/quotas')).status).toBe(429);
    await control('PUT', '/rate-limit', { requests: 2, window: 1 });
    await control('POST', '/reset');
    expect((await control('GET', '/rate-limit')).json).toEqual({
      rateLimit: { requests: 1, window: 60_000 },
    });
    expect((await caller.send('GET', '/quotas')).status).toBe(200);
    expect((await caller.send('GET', '/quotas')).status).toBe(429);
  });
});

describe('snapshots', () => {
  it('are listed, oldest first, with their times', async () => {
    const server = await servers.start({ clock: () => Date.UTC(2030, 0) });
    const control = controller(server);
    for (const expected of ['snapshot_1', 'snapshot_2']) {
      expect(at((await control('POST', '/snapshot')).json, 'snapshot')).toBe(expected);
    }
    const { snapshots } = snapshotsAnswerSchema.parse((await control('GET', '/snapshots')).json);
    const time = '2030-01-01T00:00:00.000Z';
    expect(snapshots).toEqual([
      { snapshot: 'snapshot_1', time },
      { snapshot: 'snapshot_2', time },
    ]);
  });
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
  });

  it('is not kept by a server that was given no way to', async () => {
    const server = await servers.start();
    const control = controller(server);
    expect(at((await control('GET', '/status')).json, 'savesProfiles')).toBe(false);
    const { keyId, secret } = server;
    const refused = await control('POST', '/profiles', { name: 'ci', keyId, secret });
    expect(refused.json).toEqual({ statusCode: 404, message: 'this server has no profiles' });
  });
});
