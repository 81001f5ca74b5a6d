import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { httpAnswer } from '../support/hostile-peer.js';
import { errorOf, runCli } from '../support/run-cli.js';
import { secretsIn, useRotations } from './support/rotation.js';
import { makeProfilesUnwritable, makeProfilesWritable } from './support/unwritable-profiles.js';

const { service, keys, keyIds, relayedProfile } = useRotations();

describe('a profile that cannot be written', () => {
  it('is found out before the key is created', async () => {
    const { env, peer, rotateJson: rotate } = await relayedProfile(() => ({}));
    makeProfilesUnwritable(env);
    const before = await keyIds();
    expect((await rotate()).code).toBe(3);
    expect(peer.requests.map(({ method }) => method)).not.toContain('POST');
    expect(await keyIds()).toEqual(before);
  });

  it('once the key is there, keeps its secret in a recovery file; the next run replaces that key', async () => {
    let done = false;
    const {
      env,
      rotateJson: rotate,
      stored,
      oldKey,
    } = await relayedProfile((place) => ({
      after: (call) => {
        if (call === 'POST /api-keys' && !done) {
          makeProfilesUnwritable(place.env);
          done = true;
        }
        return undefined;
      },
    }));
    const directory = String(env['ORGCTL_CONFIG_DIR']);
    const before = await keyIds();
    const ended = await rotate();
    expect(ended.code).toBe(3);
    const [name = ''] = readdirSync(directory).filter((each) => each.startsWith('recovered-'));
    const { id, secret } = JSON.parse(readFileSync(join(directory, name), 'utf8'));
    expect(ended.stderr).toContain(join(directory, name));
    expect(ended.stderr).toContain(`the new key ${id} was created, is enabled and not in use`);
    expect(ended.stderr).toContain(`delete it: orgctl api-keys delete ${id}; or fix the cause`);
    expect(ended.stderr).toContain(JSON.stringify(['orgctl', 'api-keys', 'delete', id]));
    expect(ended.stderr).toContain('profile prod could not store it');
    // Only who knows the secret learns that the key is disabled; and the next run keeps a key that was used.
    const works = service.environment({ ORGCTL_KEY_ID: id, ORGCTL_SECRET: secret });
    await service.server.control.keys.disable(id);
    expect((await runCli(['quotas'], { env: works })).stderr).toContain('API key is disabled');
    await service.server.control.keys.enable(id);
    makeProfilesWritable(env);
    expect((await rotate()).code).toBe(0);
    const { keyId } = await stored();
    expect((await keyIds()).sort()).toEqual([...before.filter((each) => each !== oldKey), keyId].sort());
  });

  it('nor anything beside it: the secret is on stderr', async () => {
    const { env, rotateJson: rotate } = await relayedProfile((place) => ({
      after: (call) => {
        const directory = String(place.env['ORGCTL_CONFIG_DIR']);
        if (call === 'POST /api-keys') {
          renameSync(directory, `${directory}-away`);
          writeFileSync(directory, '');
        }
        return undefined;
      },
    }));
    const ended = await rotate();
    expect(ended.code).toBe(3);
    const [secret = ''] = secretsIn(ended);
    const id = ended.stderr.match(/key_\w+/)?.[0];
    const works = service.environment({ ORGCTL_KEY_ID: id, ORGCTL_SECRET: secret });
    expect((await runCli(['quotas'], { env: works })).code).toBe(0);
    rmSync(String(env['ORGCTL_CONFIG_DIR']));
  });
});

describe('a POST whose answer never came', () => {
  it.each([[[]], [['--name', 'chosen']]])('leaves a key that the next run deletes: %j', async (options) => {
    let dropped = 0;
    const {
      rotateJson: rotate,
      stored,
      oldKey,
    } = await relayedProfile(() => ({
      after: (call) => (call === 'POST /api-keys' && dropped++ === 0 ? 'drop' : undefined),
    }));
    await runCli(['api-keys', 'create', '--name', 'chosen'], { env: service.environment() });
    const before = await keyIds();
    const first = await rotate(...options);
    expect(first.code).toBe(11);
    const orphan = (await keys()).find(({ id }) => !before.includes(id));
    expect(errorOf(first)['hint']).toContain(orphan?.name);
    const second = await rotate(...options);
    expect(second.code).toBe(0);
    expect(second.stderr).toContain(orphan?.id);
    const { keyId } = await stored();
    expect((await keyIds()).sort()).toEqual([...before.filter((each) => each !== oldKey), keyId].sort());
  });

  it('at another address, by a profile that was moved since, deletes none there', async () => {
    let dropped = 0;
    const {
      env,
      rotateJson: rotate,
      store,
    } = await relayedProfile(() => ({
      after: (call) => (call === 'POST /api-keys' && dropped++ === 0 ? 'drop' : undefined),
    }));
    const before = await keyIds();
    expect((await rotate('--name', 'moved')).code).toBe(11);
    const orphan = (await keyIds()).filter((id) => !before.includes(id));
    const moved = await runCli(['profile', 'set', 'prod', '--base-url', service.server.url, '--allow-host'], {
      env,
    });
    expect(moved.code).toBe(0);
    const ended = await rotate('--name', 'moved');
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain(`the recorded creation of a key for profile prod is for`);
    expect(await keyIds()).toEqual(expect.arrayContaining(orphan));
    expect(await store.read()).not.toHaveProperty('creating');
  });

  it('of a profile that was renamed since leaves a key that is deleted all the same', async () => {
    let dropped = 0;
    const { env, rotateJson: rotate } = await relayedProfile(() => ({
      after: (call) => (call === 'POST /api-keys' && dropped++ === 0 ? 'drop' : undefined),
    }));
    const before = await keyIds();
    await rotate();
    const [orphan = ''] = (await keyIds()).filter((id) => !before.includes(id));
    await runCli(['profile', 'rename', 'prod', 'live'], { env });
    expect((await rotate()).code).toBe(0);
    expect(await keyIds()).not.toContain(orphan);
  });

  it('by a service that lists no keys is named', async () => {
    let dropped = 0;
    const { rotateJson: rotate, stored } = await relayedProfile(() => ({
      before: (call) => (call === 'GET /api-keys' ? httpAnswer(404, { message: 'no such path' }) : undefined),
      after: (call) => (call === 'POST /api-keys' && dropped++ === 0 ? 'drop' : undefined),
    }));
    const before = await keyIds();
    await rotate();
    const orphan = (await keys()).find(({ id }) => !before.includes(id));
    const second = await rotate();
    expect([second.code, before.includes((await stored()).keyId)]).toEqual([0, false]);
    expect(second.stderr).toContain(String(orphan?.name));
  });
});
