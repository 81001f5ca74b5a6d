import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyEnvironment, errorOf, runCli, temporaryDirectory } from '../support/run-cli.js';
import { startServe } from './support/serve.js';

async function usedData() {
  const data = join(temporaryDirectory(), 'data');
  const { stop } = await startServe(['--data', data, '--no-profile', '--http']);
  await stop();
  return data;
}

describe('serve check, backup and restore', () => {
  it('say what the data holds, and which key it needs', async () => {
    const data = await usedData();
    const file = join(temporaryDirectory(), 'b.db');
    const run = (...args: string[]) => runCli(['serve', ...args, '--data', data]);
    const holds = { organizations: 1, apiKeys: 1, connections: 0, teams: 0 };
    const fingerprint = expect.stringMatching(/^[0-9a-f]{16}$/);
    const checked = await run('check', '-o', 'json');
    expect(JSON.parse(checked.stdout)).toEqual({ ...holds, fingerprint, oldFingerprints: [] });
    const backup = await run('backup', file);
    expect(backup).toMatchObject({ code: 0, stdout: expect.stringMatching(/MASTER KEY/) });
    expect(backup.stderr).toContain(`wrote ${file}. It does not contain the master key `);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = await run('backup', file);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('never replaces a file')]);
    const refused = await run('restore', file);
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('is not empty')]);
    const restored = await run('restore', file, '--force', '-o', 'json');
    expect(JSON.parse(restored.stdout)).toMatchObject({ ...holds, data });
    expect(existsSync(JSON.parse(restored.stdout).replaced)).toBe(true);
  });

  it('end with exit 3 and what is wrong when the data is damaged', async () => {
    const data = await usedData();
    writeFileSync(join(data, 'orgctl.db'), 'rubbish '.repeat(1000));
    for (const verb of [['check'], ['backup', join(temporaryDirectory(), 'b.db')]]) {
      const ended = await runCli(['serve', ...verb, '--data', data, '-o', 'json']);
      expect([ended.code, ended.stdout]).toEqual([3, '']);
      expect(errorOf(ended)).toMatchObject({
        message: expect.stringContaining(`${join(data, 'orgctl.db')} is damaged`),
        hint: expect.stringContaining('orgctl serve restore FILE --force'),
      });
    }
    const started = await runCli(['serve', '--data', data, '--port', '0']);
    expect([started.code, started.stderr]).toEqual([3, expect.stringContaining('is damaged')]);
    writeFileSync(join(data, 'orgctl.db'), '');
    const emptied = await runCli(['serve', '--data', data, '--port', '0']);
    expect([emptied.code, emptied.stderr]).toEqual([3, expect.stringContaining('it is empty')]);
  });

  it('are for the embedded database, and say so', async () => {
    const env = { ...emptyEnvironment(), ORGCTL_SERVE_DATABASE: 'postgres://nobody@127.0.0.1:1/none' };
    for (const verb of ['backup', 'restore']) {
      const ended = await runCli(['serve', verb, 'b.db'], { env });
      expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('pg_dump')]);
    }
    const before = await runCli(['serve', '--data', 'x', 'backup', 'b.db']);
    expect([before.code, before.stderr]).toEqual([2, expect.stringContaining('come after its name')]);
  });
});
