import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Profile } from '../../../src/profiles/file/parse-profile-file.js';
import { profileStore } from '../../../src/profiles/file/store.js';
import { httpAnswer } from '../../support/hostile-peer.js';
import { emptyEnvironment, runCli } from '../../support/run-cli.js';
import { useService } from '../../support/service.js';
import { type Passage, relayTo } from './relay.js';

export interface Key {
  readonly id: string;
  readonly secret: string;
}

interface Place {
  readonly env: Readonly<Record<string, string>>;
  stored(): Promise<Profile>;
}

/** A service for one test file whose keys are rotated; one organization stands for as many as there are addresses. */
export function useRotations() {
  const service = useService({ quotas: { 'api-keys': 1000 } });

  async function newKey(name: string): Promise<Key> {
    const env = service.environment();
    return JSON.parse((await runCli(['api-keys', 'create', '--name', name, '-o', 'json'], { env })).stdout);
  }

  async function keys(): Promise<{ readonly id: string; readonly name: string }[]> {
    const env = service.environment();
    return JSON.parse((await runCli(['api-keys', 'list', '--all', '-o', 'json'], { env })).stdout);
  }

  /** A profile `prod` of a key of its own, whose requests pass a relay. */
  async function relayedProfile(passage: (place: Place) => Passage = () => ({})) {
    const env = emptyEnvironment();
    const store = profileStore({ env, platform: process.platform, homedir: '/' });
    const stored = () => store.get('prod');
    const peer = await relayTo(service.server, passage({ env, stored }));
    const old = await newKey('old');
    await store.add('prod', { baseUrl: peer.origin, keyId: old.id, secret: old.secret });
    const rotate = (...options: string[]) => runCli(['api-keys', 'rotate', ...options], { env });
    return {
      ...{ env, peer, store, stored, old, oldKey: old.id, rotate },
      directory: String(env['ORGCTL_CONFIG_DIR']),
      rotateJson: (...options: string[]) => rotate('-o', 'json', ...options),
      change: (change: (profile: Profile) => Profile) => store.update('prod', change),
      calls: () => peer.requests.map(({ method, target }) => `${method} ${target.replace(/\?.*/, '')}`),
    };
  }

  /** A rotation that stopped before the proof, or before the deletion of the old key. */
  async function interrupted(call: 'GET /quotas' | 'DELETE') {
    let stops = 1;
    const left = await relayedProfile(() => ({
      before: (each) =>
        each.startsWith(call) && stops-- > 0
          ? httpAnswer(500, { statusCode: 500, message: 'no' })
          : undefined,
    }));
    expect((await left.rotate()).code).toBe(10);
    return left;
  }

  const keyIds = async () => (await keys()).map(({ id }) => id);
  return { service, newKey, keys, keyIds, relayedProfile, interrupted };
}

/** What is in the recovery files. */
export function recovered(directory: string): Key[] {
  const names = readdirSync(directory).filter((name) => name.startsWith('recovered-'));
  for (const name of names) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
  return names.map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')));
}

/** What looks like a secret in notes or an error. */
export function secretsIn({ stderr }: { readonly stderr: string }): string[] {
  return stderr.match(/\b[0-9A-Za-z]{64}\b/g) ?? [];
}
