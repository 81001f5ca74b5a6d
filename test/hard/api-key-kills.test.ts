import { existsSync, readFileSync } from 'node:fs';
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

async function keyIds(name?: string): Promise<string[]> {
  const { stdout } = await runCli(['api-keys', 'list', '--all', '-o', 'json'], {
    env: service.environment(),
  });
  const keys: { id: string; name: string }[] = JSON.parse(stdout);
  return keys.flatMap((key) => (name === undefined || key.name === name ? [key.id] : [])).sort();
}

const storeOf = (env: Env) => profileStore({ env, platform: process.platform, homedir: '/' });

async function works(env: Env): Promise<void> {
  const ended = await runCli(['quotas'], { env });
  expect([ended.code, ended.stderr]).toEqual([0, '']);
}

describe('kill -9', () => {
  it('of api-keys rotate costs no secret and leaves no key: the same command finishes it', async () => {
    const random = randomNumbers(printedSeed('kills of a rotation'));
    const env: Env = emptyEnvironment();
    const admin = service.environment({ ORGCTL_CONFIG_DIR: env['ORGCTL_CONFIG_DIR'] });
    await runCli(['api-keys', 'create', '--name', 'first', '--save-profile', 'prod'], { env: admin });
    const rotate = ['api-keys', 'rotate', '-p', 'prod'];
    const takes = await durationOf(rotate, env);
    const others = (await keyIds()).length - 1;
    for (let round = 0; round < rounds(25, 2); round += 1) {
      for (let kill = 0; kill < 2; kill += 1) await run(rotate, env, takes * (0.3 + random()));
      await works({ ...env, ORGCTL_PROFILE: 'prod' });
      const ended = await run(rotate, env);
      expect([ended.code, ended.stderr.includes('error')]).toEqual([0, false]);
      await works({ ...env, ORGCTL_PROFILE: 'prod' });
      const { keyId } = await storeOf(env).get('prod');
      const ids = await keyIds();
      expect(ids).toContain(keyId);
      expect(ids).toHaveLength(others + 1);
    }
  });

  // Without a terminal to ask on, --secret-file deletes nothing, and names what the killed runs left.
  it.each(['--save-profile', '--secret-file'])(
    'of api-keys create %s leaves one key, whose secret is there, and those that it names',
    async (flag) => {
      const random = randomNumbers(printedSeed(`kills of a creation with ${flag}`));
      const directory = temporaryDirectory();
      const command = (round: number, place: string) => {
        const name = `kill ${flag} ${round}`;
        return { name, args: ['api-keys', 'create', '--name', name, flag, place, '-o', 'json'] };
      };
      const env = service.environment();
      const placeOf = (round: number) =>
        flag === '--secret-file' ? join(directory, `s${round}`) : `p${round}`;
      const takes = await durationOf(command(-1, placeOf(999)).args, env);
      for (let round = 0; round < rounds(15, 2); round += 1) {
        const place = placeOf(round);
        const { name, args } = command(round, place);
        let told = '';
        for (let kill = 0; kill < 2; kill += 1) {
          told += (await run(args, env, takes * (0.3 + random()))).stderr;
        }
        const ended = await run(args, env);
        told += ended.stderr;
        // The killed run may have come to its end but for telling so; then the place is taken.
        if (ended.code !== 0) expect(ended.stderr).toMatch(/is not overwritten|already exists/);
        for (const [, ids = ''] of told.matchAll(/orgctl api-keys delete ((?:key_\w+ ?)+)/g)) {
          await runCli(['api-keys', 'delete', ...ids.trim().split(' '), '--yes'], { env });
        }
        const [id, ...more] = await keyIds(name);
        expect(more).toEqual([]);
        if (flag === '--save-profile')
          await works({ ORGCTL_CONFIG_DIR: env['ORGCTL_CONFIG_DIR'], ORGCTL_PROFILE: place });
        else {
          expect(existsSync(`${place}.pending`)).toBe(false);
          await works({ ...env, ORGCTL_KEY_ID: id, ORGCTL_SECRET: readFileSync(place, 'utf8') });
        }
      }
    },
  );
});
