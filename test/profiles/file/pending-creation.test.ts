import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/errors/errors.js';
import { pendingCreation } from '../../../src/profiles/file/pending-creation.js';
import { configPlace } from '../support/config-place.js';

const prod = { baseUrl: 'https://api.example.com', keyId: 'key_prod', secret: 'secret-of-prod' };
const staging = { baseUrl: 'https://staging.example.com', keyId: 'key_staging', secret: 'secret-of-staging' };

describe('the creation of a key', () => {
  const since = '2026-01-01T00:00:00.000Z';
  const first = { id: '1', since, name: 'ci' };
  const second = { ...first, id: '2' };
  const free = { left: undefined, hadProfile: false };

  test('is recorded for a profile that is not there yet, which then becomes current if none is', async () => {
    const { store } = await configPlace();
    expect(await store.beginCreation('ci', first, free)).toEqual({
      version: 1,
      profiles: {},
      creating: { ci: first },
    });
    await store.beginCreation('other', second, free);
    const seen: unknown[] = [];
    const stored = await store.finishCreation('ci', first, (current) => {
      seen.push(current);
      return prod;
    });
    expect(seen).toEqual([undefined]);
    expect(stored).toEqual({
      version: 1,
      current: 'ci',
      profiles: { ci: prod },
      creating: { other: second },
    });
    await store.finishCreation('other', second, () => staging);
    expect(await store.read()).toEqual({
      version: 1,
      current: 'ci',
      profiles: { ci: prod, other: staging },
    });
  });

  test('for a profile that is there changes it, and not which is current', async () => {
    const { store } = await configPlace({ version: 1, profiles: { prod } });
    await store.beginCreation('prod', first, { ...free, hadProfile: true });
    const change = (current: unknown) => ({ ...staging, was: current });
    expect(await store.finishCreation('prod', first, change)).toEqual({
      version: 1,
      profiles: { prod: { ...staging, was: prod } },
    });
  });

  test('that came to nothing leaves no record, and the others', async () => {
    const { store } = await configPlace();
    await store.beginCreation('ci', first, free);
    await store.beginCreation('other', second, free);
    await store.cancelCreation('ci', first);
    expect(await store.read()).toMatchObject({ creating: { other: second } });
    for (const _ of ['once', 'again'])
      expect(await store.cancelCreation('other', second)).toEqual({ version: 1, profiles: {} });
  });

  test('goes on under the new name of its profile, and ends with it', async () => {
    const { store } = await configPlace({ version: 1, profiles: { prod } });
    await store.beginCreation('prod', first, { ...free, hadProfile: true });
    await store.beginCreation('other', second, free);
    expect(await store.rename('prod', 'production')).toEqual({
      version: 1,
      profiles: { production: prod },
      creating: { production: first, other: second },
    });
    expect(await store.remove('production')).toMatchObject({ creating: { other: second } });
  });

  test('that another process has taken over is left to it', async () => {
    const { store } = await configPlace();
    await store.beginCreation('ci', first, free);
    const taken = await store.beginCreation('ci', second, { ...free, left: first });
    for (const attempt of [
      () => store.beginCreation('ci', { ...first, id: '3' }, { ...free, left: first }),
      () => store.beginCreation('ci', { ...first, id: '3' }, free),
      () => store.beginCreation('free', { ...first, id: '3' }, { ...free, left: first }),
      () => store.finishCreation('ci', first, () => prod),
    ]) {
      await expect(attempt()).rejects.toMatchObject({
        constructor: ConfigError,
        message: expect.stringMatching(/^another orgctl is creating a key for profile "(ci|free)"$/),
        details: {
          hint: 'let it finish, then see orgctl profile show',
          next: ['orgctl', 'profile', 'show'],
        },
      });
    }
    expect(await store.cancelCreation('ci', first)).toEqual(taken);
    expect(await store.read()).toEqual(taken);
  });

  test('is none of a name that every object has', () => {
    const file = { version: 1, profiles: {}, creating: { ci: first } } as const;
    expect(pendingCreation(file, 'ci')).toEqual(first);
    expect(pendingCreation(file, 'constructor')).toBeUndefined();
    expect(pendingCreation({ version: 1, profiles: {} }, 'ci')).toBeUndefined();
  });
});
