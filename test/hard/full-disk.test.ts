import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { backUpData } from '../../src/server/maintenance/backup-data.js';
import { at, Caller } from '../support/caller.js';
import { emptyEnvironment, errorOf, runCli } from '../support/run-cli.js';
import { useServerProcesses } from '../support/use-server-processes.js';
import { found } from './support/ledger.js';

const words = 'no space left on device';

/** A small file system for these tests, which are left out where none can be mounted: only root may. */
function useSmallDisk(size: string) {
  const root = mkdtempSync(join(tmpdir(), 'orgctl-test-'));
  const disk = join(root, 'disk');
  const ballast = join(disk, 'ballast');
  const options = ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk];
  let isMounted = false;
  beforeAll(() => {
    mkdirSync(disk);
    isMounted = process.platform === 'linux' && spawnSync('mount', options).status === 0;
    if (isMounted) chmodSync(disk, 0o700);
  });
  beforeEach((context) => {
    if (!isMounted) context.skip('no file system can be mounted here');
    rmSync(ballast, { force: true });
  });
  afterAll(() => {
    // SQLite's files are open until they are garbage.
    if (isMounted) spawnSync('umount', ['--lazy', disk]);
    rmSync(root, { recursive: true, force: true });
  });
  return {
    disk,
    fill: () => void spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=512']),
    empty: () => rmSync(ballast),
  };
}

describe('a disk that is full under a server', () => {
  const { disk, fill, empty } = useSmallDisk('2m');
  const processes = useServerProcesses();

  it('makes it answer 503 and not be ready, loses no confirmed change, and is overcome once there is room', async () => {
    const data = join(disk, 'data');
    const server = await processes.open({ data, quotas: { teams: 1e6 } });
    const caller = new Caller(server.server, { atFault: true });
    const ready = async () => (await caller.send('GET', '/healthz/ready', { auth: 'none' })).status;
    const acknowledged: string[] = [];
    const create = async () => {
      const body = { name: 'x'.repeat(200) };
      const { status, json, headers } = await caller.send('POST', '/teams', { body });
      if (status === 201) acknowledged.push(`/teams/${at(json, 'id')}`);
      else expect([status, headers['retry-after']]).toEqual([503, '1']);
      return status;
    };
    expect([await create(), await ready()]).toEqual([201, 200]);
    for (let round = 0; round < 3; round += 1) {
      fill();
      while ((await create()) === 201);
      await expect.poll(ready, { interval: 200 }).toBe(503);
      expect((await caller.send('GET', '/teams')).status).toBe(200);
      // A backup that finds no room leaves nothing behind.
      await expect(backUpData({ data, file: join(disk, 'b.db') })).rejects.toThrow(
        /cannot be written|full|answered 503/,
      );
      empty();
      await expect.poll(ready, { interval: 200 }).toBe(200);
      expect(await create()).toBe(201);
    }
    await server.end('SIGKILL');
    const { names } = await found(new Caller((await processes.open({ data })).server));
    expect([...names.keys()].toSorted()).toEqual(acknowledged.toSorted());
  });
});

describe('a disk that is full under the tool', () => {
  const { disk, fill, empty } = useSmallDisk('64k');
  it('leaves the profiles as they were, and says which file and what to do', async () => {
    const config = join(disk, 'orgctl');
    const env = { ...emptyEnvironment(), ORGCTL_CONFIG_DIR: config };
    const add = (name: string) => {
      const place = ['--base-url', 'https://x.example', '--key-id', 'key_a', '--secret-stdin'];
      const args = ['profile', 'add', name, ...place, '--no-verify', '-o', 'json'];
      return runCli(args, { env, stdin: 's'.repeat(64) });
    };
    expect(await add('one')).toMatchObject({ code: 0 });
    const path = join(config, 'profiles.json');
    const before = readFileSync(path, 'utf8');
    fill();
    expect(errorOf(await add('two'))).toMatchObject({
      exitCode: 3,
      message: `${path} cannot be written: ${words}`,
      hint: 'free some space on the disk, and run the command again',
    });
    expect([readFileSync(path, 'utf8'), readdirSync(config)]).toEqual([before, ['profiles.json']]);
    empty();
    expect(await add('two')).toMatchObject({ code: 0 });
  });
});
