import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { backUpData } from '../../src/server/maintenance/backup-data.js';
import { at, Caller } from '../server/support/caller.js';
import { bundleServer, ServerProcess } from '../server/support/server-process.js';
import { runCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';

const service = useService();
const root = mkdtempSync(join(tmpdir(), 'orgctl-test-'));
const disk = join(root, 'disk');
const processes: ServerProcess[] = [];
let script: string;
let isMounted = false;

/** Mounts a file system of 2 MiB; only root may, and not in every container. */
function mountSmall(): boolean {
  spawnSync('mkdir', [disk]);
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk]).status === 0;
}

beforeAll(async () => {
  script = await bundleServer(root);
  isMounted = process.platform === 'linux' && mountSmall();
  if (!isMounted) console.log('full disk: left out, since a file system can be mounted only by root');
});
afterEach(() => Promise.all(processes.splice(0).map((process) => process.end('SIGKILL'))));
afterAll(() => {
  if (isMounted) spawnSync('umount', [disk]);
  rmSync(root, { recursive: true, force: true });
});

it('a disk that is full: 503 and not ready, nothing acknowledged is lost, and it goes on when there is room', async (context) => {
  if (!isMounted) return context.skip();
  const data = join(disk, 'data');
  const ballast = join(disk, 'ballast');
  const server = await ServerProcess.open(script, { data, quotas: { teams: 1e6 } });
  processes.push(server);
  const caller = new Caller(server.server, { atFault: true });
  const ready = async () => (await caller.send('GET', '/healthz/ready', { auth: 'none' })).status;
  const acknowledged: string[] = [];
  const create = async () => {
    const { status, json, headers } = await caller.send('POST', '/teams', {
      body: { name: 'x'.repeat(200) },
    });
    if (status === 201) acknowledged.push(String(at(json, 'id')));
    else expect([status, headers['retry-after']]).toEqual([503, '1']);
    return status;
  };
  expect([await create(), await ready()]).toEqual([201, 200]);
  for (let round = 0; round < 3; round += 1) {
    spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=4096']);
    while ((await create()) === 201);
    await expect.poll(ready, { interval: 200 }).toBe(503);
    expect((await caller.send('GET', '/teams')).status).toBe(200);
    // A backup that finds no room leaves nothing behind.
    await expect(backUpData({ data, file: join(disk, 'b.db') })).rejects.toThrow(
      /cannot be copied|cannot be written|full/,
    );
    rmSync(ballast);
    await expect.poll(ready, { interval: 200 }).toBe(200);
    expect(await create()).toBe(201);
  }
  await server.end('SIGKILL');
  const again = await ServerProcess.open(script, { data });
  processes.push(again);
  const listed = new Set<string>();
  for (let page = 1; ; page += 1) {
    const items = at(
      (await new Caller(again.server).send('GET', `/teams?limit=100&page=${page}`)).json,
      'data',
    );
    if (!Array.isArray(items) || items.length === 0) break;
    for (const item of items) listed.add(String(at(item, 'id')));
  }
  expect(acknowledged.filter((id) => !listed.has(id))).toEqual([]);
  expect(listed.size).toBe(acknowledged.length);
});

it('a disk that has no room for the first data refuses the start by name', async (context) => {
  if (!isMounted) return context.skip();
  writeFileSync(join(disk, 'ballast'), '');
  spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'ballast')}`, 'bs=4096']);
  const data = join(disk, 'other');
  const server = await ServerProcess.open(script, { data });
  processes.push(server);
  expect(server.start).toMatchObject({ kind: 'ConfigError', message: expect.stringContaining(data) });
  rmSync(join(disk, 'ballast'));
});

it('a disk without room for what a command writes is an error of the environment', async (context) => {
  if (!isMounted) return context.skip();
  const env = service.environment();
  const ballast = join(disk, 'ballast');
  const file = join(root, 'organization.yaml');
  writeFileSync(file, 'version: 1\nteams: []\n');
  spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=512']);
  for (const args of [
    ['api-keys', 'create', '--name', 'ci', '--secret-file', join(disk, 'secret')],
    ['export', join(disk, 'export.yaml')],
    ['diff', file, '--out', join(disk, 'plan.json')],
    ['serve', '--ephemeral', '--http', '--port', '0', '--ready-file', join(disk, 'ready'), '--', 'true'],
  ]) {
    const ended = await runCli(args, { env });
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('no space left on device') });
  }
  rmSync(ballast);
});
