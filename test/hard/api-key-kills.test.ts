import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { profileStore } from '../../src/profiles/file/store.js';
import { orgctl, useBuiltTool } from '../support/built-tool.js';
import { emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { printedSeed, randomNumbers, rounds } from './support/budget.js';

const service = useService({ http: true, quotas: { 'api-keys': 100_000 } });
useBuiltTool();

type Env = Record<string, string | undefined>;

interface Exit {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the tool as a process of its own; with `killAfter` milliseconds it may get no further. */
async function run(args: readonly string[], env: Env, killAfter?: number): Promise<Exit> {
  const child = spawn(orgctl[0], [...orgctl.slice(1), ...args], {
    env: { ...env, PATH: process.env['PATH'] },
  });
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    text.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text.stderr += chunk;
  });
  const closed = once(child, 'close');
  if (killAfter !== undefined) {
    const timer = wait(killAfter).then(() => child.kill('SIGKILL'));
    await closed;
    await timer;
  } else await closed;
  return { code: child.exitCode, ...text };
}

/** How long the command takes by itself: kills fall anywhere within. */
async function durationOf(args: readonly string[], env: Env): Promise<number> {
  const began = performance.now();
  expect((await run(args, env)).code).toBe(0);
  return performance.now() - began;
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

  it('of profile add leaves a profile or none, and the others', async () => {
    const random = randomNumbers(printedSeed('kills of profile add'));
    const { ORGCTL_BASE_URL: url, ORGCTL_KEY_ID: id, ORGCTL_SECRET: secret } = service.environment();
    const env: Env = { ...emptyEnvironment(), S: secret };
    const add = (name: string) => [
      ...['profile', 'add', name, '--base-url', String(url), '--key-id', String(id), '--secret-env', 'S'],
    ];
    const takes = await durationOf(add('first'), env);
    for (let round = 0; round < rounds(15, 2); round += 1) {
      const name = `p${round}`;
      await run(add(name), env, takes * (0.3 + random()));
      const ended = await run(add(name), env);
      if (ended.code !== 0) expect(ended.stderr).toContain('already exists');
      await works({ ...env, ORGCTL_PROFILE: name });
      expect(await storeOf(env).list()).toHaveLength(round + 2);
    }
  });
});

it.skipIf(!existsSync('/dev/full'))(
  'a full stdout puts the secret of a new key into a recovery file',
  async () => {
    const env = service.environment();
    const child = spawn(orgctl[0], [...orgctl.slice(1), 'api-keys', 'create', '--name', 'full'], {
      env: { ...env, PATH: process.env['PATH'] },
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    });
    let stderr = '';
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    await once(child, 'close');
    expect(child.exitCode).toBe(3);
    const path = stderr.match(/is in (\S+\.json)/)?.[1] ?? '';
    const { id, secret } = JSON.parse(readFileSync(path, 'utf8'));
    await works({ ...env, ORGCTL_KEY_ID: id, ORGCTL_SECRET: secret });
  },
);
