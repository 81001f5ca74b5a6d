import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Profile } from '../../src/profiles/file/profile-file.js';
import { httpAnswer, type RecordedRequest } from '../support/hostile-peer.js';
import { runCli } from '../support/run-cli.js';
import { secretsIn, useRotations } from './support/rotation.js';

const { service, keyIds, relayedProfile } = useRotations();

function signerOf({ headers }: RecordedRequest): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === 'x-api-key')?.[1];
}

describe('each step is stored before the next', () => {
  it('the creation before the POST, the new secret before its proof, the old key before its deletion', async () => {
    const seen: Record<string, Profile> = {};
    const begun: unknown[] = [];
    const {
      rotateJson: rotate,
      stored,
      oldKey,
      store,
    } = await relayedProfile((place) => ({
      before: async (call) => {
        if (call === 'POST /api-keys') begun.push((await store.read()).creating?.['prod']);
        seen[call.replace(/key_.*/, 'key')] = await place.stored();
        return undefined;
      },
    }));
    const ended = await rotate();
    expect(ended.code).toBe(0);
    const { keyId, secret } = await stored();
    expect(begun).toEqual([expect.objectContaining({ name: expect.stringContaining('orgctl prod ') })]);
    expect(seen['GET /quotas']).toMatchObject({ keyId: oldKey, pending: { keyId, secret } });
    expect(seen['DELETE /api-keys/key']).toMatchObject({ keyId, secret, retiring: oldKey });
    expect(await store.read()).not.toHaveProperty('creating');
    expect(secretsIn(ended)).toEqual([]);
  });

  it('proves the new key with a read that it signs', async () => {
    const signers: (string | undefined)[] = [];
    const { rotateJson: rotate, stored } = await relayedProfile(() => ({
      before: (call, request) => {
        if (call === 'GET /quotas') signers.push(signerOf(request));
        return undefined;
      },
    }));
    await rotate();
    expect(signers).toEqual([(await stored()).keyId]);
  });

  it('keeps the old key while the proof fails', async () => {
    const {
      rotateJson: rotate,
      stored,
      oldKey,
    } = await relayedProfile(() => ({
      before: (call) => (call === 'GET /quotas' ? httpAnswer(403, { message: 'no' }) : undefined),
    }));
    const ended = await rotate();
    expect(ended.code).toBe(5);
    const { keyId, pending } = await stored();
    expect([keyId, pending]).toEqual([oldKey, expect.objectContaining({ keyId: expect.any(String) })]);
    expect(ended.stderr).toContain(
      `the new key ${pending?.keyId} is stored as pending, and the old one is still in use`,
    );
    expect(await keyIds()).toContain(oldKey);
  });
});

describe('the new key', () => {
  it('that is refused leaves nothing behind: the next run begins anew', async () => {
    let refusals = 0;
    const refusal = { statusCode: 403, message: 'no' };
    const {
      rotateJson: rotate,
      store,
      stored,
      oldKey,
    } = await relayedProfile(() => ({
      before: (call) =>
        call === 'POST /api-keys' && refusals++ === 0 ? httpAnswer(403, refusal) : undefined,
    }));
    const before = await stored();
    expect(await rotate()).toMatchObject({
      code: 5,
      stdout: '',
      stderr: expect.not.stringContaining('may have been created'),
    });
    expect(await stored()).toEqual(before);
    expect(await store.read()).not.toHaveProperty('creating');
    expect((await rotate()).code).toBe(0);
    expect((await stored()).keyId).not.toBe(oldKey);
  });
});

describe('the deletion of the old key', () => {
  it('is done when the key is gone already', async () => {
    const {
      rotateJson: rotate,
      stored,
      oldKey,
    } = await relayedProfile(() => ({
      before: async (call) => {
        if (call.startsWith('DELETE')) {
          const id = call.replace('DELETE /api-keys/', '');
          await runCli(['api-keys', 'delete', id, '--yes'], { env: service.environment() });
        }
        return undefined;
      },
    }));
    expect((await rotate()).code).toBe(0);
    expect(await keyIds()).not.toContain(oldKey);
    expect(await stored()).not.toHaveProperty('retiring');
  });
});

describe('a profile that changes meanwhile', () => {
  const pending = { keyId: 'key_other', secret: 'other', createdAt: '2026-01-01T00:00:00.000Z' };
  const changes: readonly (readonly [string, string, (profile: Profile) => Profile | undefined])[] = [
    ['POST /api-keys', 'another key', (profile) => ({ ...profile, keyId: 'key_other', secret: 'other' })],
    ['POST /api-keys', 'another new key', (profile) => ({ ...profile, pending })],
    ['POST /api-keys', 'nothing', () => undefined],
    ['POST /api-keys', 'another address', (profile) => ({ ...profile, baseUrl: 'https://127.0.0.1:1' })],
    ['GET /quotas', 'another address', (profile) => ({ ...profile, baseUrl: 'https://127.0.0.1:1' })],
    ['GET /quotas', 'another secret', (profile) => ({ ...profile, secret: 'other' })],
    ['GET /quotas', 'another key', (profile) => ({ ...profile, keyId: 'key_other', secret: 'other' })],
    ['GET /quotas', 'another new key', (profile) => ({ ...profile, pending })],
    ['GET /quotas', 'no new key', ({ pending: _own, ...profile }) => profile],
  ];
  it.each(changes)('during %s to have %s is left as it then is', async (moment, _what, change) => {
    const changed: unknown[] = [];
    const { rotateJson: rotate, store } = await relayedProfile(() => ({
      before: async (call) => {
        if (call !== moment) return undefined;
        // As by hand: the store itself would remove the record of the creation with the profile.
        const { profiles, ...rest } = await store.read();
        const prod = profiles['prod'] && change(profiles['prod']);
        const content = { ...rest, profiles: prod === undefined ? {} : { prod } };
        writeFileSync(store.path(), JSON.stringify(content));
        changed.push(content.profiles);
        return undefined;
      },
    }));
    const ended = await rotate();
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('profile prod was changed by another process meanwhile');
    expect([(await store.read()).profiles]).toEqual(changed);
  });
});

describe('a secret or key ID of the environment is not the profile’s', () => {
  it.each([{ ORGCTL_SECRET: 'e'.repeat(64) }, { ORGCTL_SECRET: 'e'.repeat(64), ORGCTL_KEY_ID: 'key_env' }])(
    '%j',
    async (variables) => {
      const { env, peer } = await relayedProfile(() => ({}));
      const ended = await runCli(['api-keys', 'rotate'], { env: { ...env, ...variables } });
      expect(ended.code).toBe(3);
      expect(peer.requests).toEqual([]);
    },
  );
});

describe('the trial of the new key', () => {
  it('uses the effective settings', async () => {
    const proofs: RecordedRequest[] = [];
    const { env } = await relayedProfile(() => ({
      before: (call, request) => {
        if (call !== 'GET /quotas') return undefined;
        proofs.push(request);
        return httpAnswer(503, { message: 'later' });
      },
    }));
    const args = ['api-keys', 'rotate', '--retries', '0', '--auth', 'basic'];
    expect((await runCli(args, { env })).code).toBe(10);
    expect(proofs).toHaveLength(1);
    expect(proofs.map(signerOf)).toEqual([undefined]);
    const variables = { ORGCTL_RETRIES: '0' };
    expect((await runCli(['api-keys', 'rotate'], { env: { ...env, ...variables } })).code).toBe(10);
    expect(proofs).toHaveLength(2);
  });
});
