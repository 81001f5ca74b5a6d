import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { backUpData } from '../../src/server/maintenance/backup-data.js';
import { emptyEnvironment, errorOf, runCli } from '../support/run-cli.js';
import { serviceEnvironment, useService } from '../support/service.js';

const service = useService();
const root = mkdtempSync(join(tmpdir(), 'orgctl-test-'));
const disk = join(root, 'disk');
const ballast = join(disk, 'ballast');
const config = join(disk, 'orgctl');
const backup = join(root, 'backup.db');
const file = join(root, 'org.yaml');
const secret = 'a-secret-of-thirty-two-characters';
const words = 'no space left on device';
let isMounted = false;

beforeAll(async () => {
  mkdirSync(disk);
  // Only root may mount, and not in every container.
  const small = ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk];
  isMounted = process.platform === 'linux' && spawnSync('mount', small).status === 0;
  if (!isMounted) return console.log('full disk: left out, since a file system can be mounted only by root');
  chmodSync(disk, 0o700);
  const data = join(root, 'data');
  await runCli(['serve', '--data', data, '--port', '0', '--no-profile', '--', 'true']);
  await backUpData({ data, file: backup });
  writeFileSync(file, 'version: 1\nteams: []\n');
});
beforeEach(() => {
  if (isMounted) rmSync(ballast, { force: true });
});
afterAll(() => {
  // SQLite's files are open until they are garbage.
  if (isMounted) spawnSync('umount', ['--lazy', disk]);
  rmSync(root, { recursive: true, force: true });
});

function fill(): void {
  spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=512']);
}

describe('a disk that is full', () => {
  it('leaves the profiles as they were, and says which file and what to do', async (context) => {
    if (!isMounted) return context.skip();
    const env = { ...emptyEnvironment(), ORGCTL_CONFIG_DIR: config };
    const add = (name: string) =>
      runCli(
        [
          ...['profile', 'add', name, '--base-url', 'https://x.example', '--key-id', 'key_a'],
          ...['--secret-stdin', '--no-verify', '-o', 'json'],
        ],
        { env, stdin: secret },
      );
    expect(await add('one')).toMatchObject({ code: 0 });
    const path = join(config, 'profiles.json');
    const before = readFileSync(path, 'utf8');
    fill();
    const refused = await add('two');
    expect(errorOf(refused)).toMatchObject({
      exitCode: 3,
      message: `${path} cannot be written: ${words}`,
      hint: 'free some space on its disk, and run the command again; the profiles are unchanged',
    });
    expect([readFileSync(path, 'utf8'), readdirSync(config)]).toEqual([before, ['profiles.json']]);
    rmSync(ballast);
    expect(await add('two')).toMatchObject({ code: 0 });
  });

  it.each([
    ['an export', ['export', join(disk, 'e.yaml')], 3],
    ['a plan', ['diff', file, '--out', join(disk, 'p.json')], 3],
    ['a secret', ['api-keys', 'create', '--name', 'a', '--secret-file', join(disk, 's')], 3],
    ['a ready line', ['serve', '--ephemeral', '--http', '--ready-file', join(disk, 'r'), '--', 'true'], 3],
    ['a backup', ['serve', 'backup', join(disk, 'b.db'), '--data', join(root, 'data')], 3],
    ['restored data', ['serve', 'restore', backup, '--data', join(disk, 'restored')], 3],
    ['new data', ['serve', '--data', join(disk, 'new'), '--port', '0', '--no-profile', '--', 'true'], 3],
  ] as const)('is named for %s, which leaves no part of it behind', async (_what, args, code) => {
    if (!isMounted) return;
    fill();
    const env = { ...emptyEnvironment(), ...serviceEnvironment(service.server) };
    const ended = await runCli(['-o', 'json', ...args], { env });
    expect(ended.code).toBe(code);
    expect(errorOf(ended)).toMatchObject({
      message: expect.stringMatching(new RegExp(`${disk}.*(?:${words}|disk is full)`)),
      hint: expect.stringMatching(/^free some space|disk (?:has room|not full)/),
    });
    const left = readdirSync(disk, { recursive: true, withFileTypes: true });
    const files = left.filter((one) => one.isFile() && !one.name.startsWith('orgctl.db'));
    expect(files.map(({ name }) => name).toSorted()).toEqual(['ballast', 'profiles.json']);
  });
});
