import fs, { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { type Synced, watchSyncs } from './support/watch-syncs.js';

const service = useService();

/** Where the content was synced, and after it the directory with the file's name; -1 for what was not. */
function syncsOf(synced: readonly Synced[], file: string): readonly [content: number, name: number] {
  // Under a temporary name, perhaps in a directory of its own.
  const content = synced.findIndex(({ path }) => path.startsWith(`${dirname(file)}/`));
  const name = synced.findLastIndex(
    ({ path, names }) => path === dirname(file) && names.includes(basename(file)),
  );
  return [content, name];
}

function newProfile(env: Readonly<Record<string, string | undefined>>) {
  const place = ['--base-url', 'https://api.example.com', '--key-id', 'key_a'];
  return runCli(['profile', 'add', 'prod', ...place, '--secret-stdin', '--no-verify'], { env, stdin: 'x' });
}

describe.runIf(process.platform === 'linux')('on the disk before a command ends are', () => {
  it('a profile, content before name', async () => {
    const env = emptyEnvironment();
    const synced = watchSyncs();
    expect(await newProfile(env)).toMatchObject({ code: 0 });
    const [content, name] = syncsOf(synced, join(String(env['ORGCTL_CONFIG_DIR']), 'profiles.json'));
    expect(content).not.toBe(-1);
    expect(name).toBeGreaterThan(content);
  });

  it('the secret of a new key', async () => {
    const cwd = temporaryDirectory();
    const synced = watchSyncs();
    const line = ['api-keys', 'create', '--name', 'ci', '--secret-file', 'ci.secret'];
    expect(await runCli(line, { env: service.environment(), cwd })).toMatchObject({ code: 0 });
    expect(syncsOf(synced, join(cwd, 'ci.secret'))).not.toContain(-1);
  });
});

it.each(['ENOSPC', 'EDQUOT'])(
  'a file that finds no room (%s) is exit 3, and is not left behind',
  async (code) => {
    const cwd = temporaryDirectory();
    vi.spyOn(fs, 'fsync').mockImplementation((_descriptor, done) =>
      done(Object.assign(new Error('full'), { code })),
    );
    syncBuiltinESMExports();
    const ended = await runCli(['export', 'org.yaml'], { env: service.environment(), cwd });
    expect(ended).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('free some space') });
    expect(existsSync(join(cwd, 'org.yaml'))).toBe(false);
  },
);
