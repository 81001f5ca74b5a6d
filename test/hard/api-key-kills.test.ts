import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { profileStore } from '../../src/profiles/file/store.js';
import { orgctl } from '../support/built-tool.js';
import { emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { printedSeed, randomNumbers, rounds } from './support/budget.js';
import { runKilled } from './support/run-killed.js';

const service = useService({ quotas: { 'api-keys': 100_000 } });

type Env = Record<string, string | undefined>;

const run = (args: readonly string[], env: Env, after?: number) =>
  runKilled([...orgctl, ...args], { env, after });

/** How long the command takes by itself: kills fall anywhere within. */
async function durationOf(args: readonly string[], env: Env): Promise<number> {
  const { code, took } = await run(args, env);
  expect(code).toBe(0);
  return took;
}

interface Key {
  readonly id: string;
  readonly name: string;
  readonly last_used_at: string | null;
}

async function listKeys(): Promise<readonly Key[]> {
  const { stdout } = await runCli(['api-keys', 'list', '--all', '-o', 'json'], {
    env: service.environment(),
  });
  return JSON.parse(stdout);
}

const storeOf = (env: Env) => profileStore({ env, platform: process.platform, homedir: '/' });

async function works(env: Env): Promise<void> {
  const ended = await runCli(['quotas'], { env });
  expect([ended.code, ended.stderr]).toEqual([0, '']);
}

describe('kill -9', () => {
  it('of api-keys rotate costs no secret and no key of others: the same command finishes it', async () => {
    const random = randomNumbers(printedSeed('kills of a rotation'));
    const env: Env = emptyEnvironment();
    const admin = service.environment({ ORGCTL_CONFIG_DIR: env['ORGCTL_CONFIG_DIR'] });
    await runCli(['api-keys', 'create', '--name', 'first', '--save-profile', 'prod'], { env: admin });
    const rotate = ['api-keys', 'rotate', '-p', 'prod'];
    const takes = await durationOf(rotate, env);
    const ids = async () => new Set((await listKeys()).map(({ id }) => id));
    const others = await ids();
    others.delete((await storeOf(env).get('prod')).keyId);
    for (let round = 0; round < rounds(25, 2); round += 1) {
      for (let kill = 0; kill < 2; kill += 1) {
        await run(rotate, env, takes * (0.3 + random()));
        await works({ ...env, ORGCTL_PROFILE: 'prod' });
      }
      const ended = await run(rotate, env);
      expect([ended.code, ended.stderr.includes('error')]).toEqual([0, false]);
      await works({ ...env, ORGCTL_PROFILE: 'prod' });
      const { keyId, ...profile } = await storeOf(env).get('prod');
      expect([profile.pending, profile.retiring]).toEqual([undefined, undefined]);
      const now = await listKeys();
      expect(now.map(({ id }) => id)).toEqual(expect.arrayContaining([...others, keyId]));
      // A key whose secret never arrived was never used, and has the name of a rotation.
      for (const { id, name, last_used_at } of now.filter(({ id }) => !others.has(id) && id !== keyId)) {
        expect([name, last_used_at]).toEqual([expect.stringMatching(/^orgctl prod /), null]);
        others.add(id);
      }
    }
  });

  it.each(['--save-profile', '--secret-file'])(
    'of api-keys create %s leaves a place that is free, or has the secret of a key',
    async (flag) => {
      const random = randomNumbers(printedSeed(`kills of a creation with ${flag}`));
      const directory = temporaryDirectory();
      const env = service.environment();
      const isFile = flag === '--secret-file';
      const placeOf = (round: number) => (isFile ? join(directory, `s${round}`) : `p${round}`);
      const create = (name: string, place: string) => ['api-keys', 'create', '--name', name, flag, place];
      const takes = await durationOf(create('timed', placeOf(999)), env);
      const before = new Set((await listKeys()).map(({ id }) => id));
      for (let round = 0; round < rounds(15, 2); round += 1) {
        const place = placeOf(round);
        const name = `kill ${flag} ${round}`;
        const ends = [];
        for (let kill = 0; kill < 2; kill += 1)
          ends.push(await run(create(name, place), env, takes * (0.3 + random())));
        // A kill within the write leaves an empty file; its secret had not been written.
        if (isFile && existsSync(place) && readFileSync(place, 'utf8') === '') rmSync(place);
        const ended = await run(create(name, place), env);
        // A killed run may have come to its end but for saying so; then the place is taken.
        if (ended.code !== 0) expect(ended.stderr).toMatch(/is not overwritten|already exists/);
        const made = (await listKeys()).filter((key) => key.name === name);
        expect(made.length).toBeLessThanOrEqual(3);
        if (isFile) {
          const secret = readFileSync(place, 'utf8');
          const tries = made.map(({ id }) =>
            runCli(['quotas'], { env: { ...env, ORGCTL_KEY_ID: id, ORGCTL_SECRET: secret } }),
          );
          const codes = (await Promise.all(tries)).map(({ code }) => code);
          expect(codes.filter((code) => code === 0)).toHaveLength(1);
        } else await works({ ORGCTL_CONFIG_DIR: env['ORGCTL_CONFIG_DIR'], ORGCTL_PROFILE: place });
      }
      const now = new Set((await listKeys()).map(({ id }) => id));
      expect([...before].filter((id) => !now.has(id))).toEqual([]);
      // A run that was killed while it tried the place may leave a file of zeros.
      for (const name of isFile ? readdirSync(directory).filter((each) => each.endsWith('.tmp')) : [])
        expect(readFileSync(join(directory, name)).every((byte) => byte === 0)).toBe(true);
    },
  );
});
