import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorOf, runCli, temporaryDirectory } from '../support/run-cli.js';
import { startServe } from './support/serve.js';

/** Data whose key was changed twice, after a backup was made and put back. */
async function changedTwice() {
  const data = join(temporaryDirectory(), 'data');
  const file = join(temporaryDirectory(), 'b.db');
  const { stop } = await startServe(['--data', data, '--no-profile', '--http']);
  await stop();
  const run = async (...args: readonly string[]) => {
    const ended = await runCli(['serve', ...args, '--data', data, '-o', 'json']);
    expect(ended).toMatchObject({ code: 0 });
    return ended.stdout === '' ? {} : JSON.parse(ended.stdout);
  };
  const { fingerprint: first } = await run('backup', file);
  await run('rotate-master-key');
  const { fingerprint: second } = await run('check');
  await run('rotate-master-key');
  const { fingerprint: current } = await run('check');
  return { data, file, run, first, second, current };
}

function keptIn(data: string): string[] {
  return readdirSync(join(data, 'old-master-keys')).sort();
}

describe('serve forget-master-key', () => {
  it('asks, names what is lost, and forgets neither the current key nor one that the data needs', async () => {
    const { data, file, first, second, current } = await changedTwice();
    const kept = keptIn(data);
    const forget = (...more: string[]) => ['serve', 'forget-master-key', ...more, '--data', data];
    for (const unknown of [current, '../master', 'x']) {
      const ended = await runCli([...forget(unknown, '--yes'), '-o', 'json']);
      expect(ended.code).toBe(2);
      expect(errorOf(ended)).toMatchObject({ hint: expect.stringContaining(second) });
    }
    // As a kill would leave it while the key was written.
    writeFileSync(join(data, 'old-master-keys', `${first}.key.0.tmp`), 'a key', { mode: 0o600 });
    const none = await runCli(forget(first));
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    const no = await runCli(forget(first), { isTTY: true, columns: 200, stdin: 'n\r' });
    expect(no.code).toBe(130);
    expect(no.stderr).toContain(`Delete the old master key ${first}`);
    expect(no.stderr).toContain(`backups made with ${first} can then no longer be restored`);
    expect(keptIn(data)).toEqual(expect.arrayContaining(kept));
    expect((await runCli(forget(first), { isTTY: true, stdin: 'y\r' })).code).toBe(0);
    expect(keptIn(data)).toEqual([`${second}.key`]);
    const refused = await runCli(['serve', 'restore', file, '--force', '--data', data]);
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining(`fingerprint ${first}`)]);
    // Somebody has put the wrong key in the place of the right one.
    const key = readFileSync(join(data, 'master.key'), 'utf8');
    writeFileSync(join(data, 'old-master-keys', `${current}.key`), key, { mode: 0o600 });
    writeFileSync(join(data, 'master.key'), `${'7'.repeat(64)}\n`);
    const needed = await runCli([...forget('--yes'), '-o', 'json']);
    expect(needed.code).toBe(3);
    const message = expect.stringContaining(`is encrypted with the old master key ${current}`);
    expect(errorOf(needed)).toMatchObject({ message });
    expect(keptIn(data)).toEqual([`${second}.key`, `${current}.key`].sort());
  });

  it('forgets all with --yes, and names the data beside the database that needed one', async () => {
    const { data, file, run, first, second, current } = await changedTwice();
    // What it puts aside has the current key, and then an old one.
    const { replaced } = await run('restore', file, '--force');
    await run('rotate-master-key');
    const forgotten = await run('forget-master-key', '--yes');
    expect(forgotten).toHaveLength(3);
    expect(forgotten).toContainEqual(expect.objectContaining({ fingerprint: current, neededBy: [replaced] }));
    for (const fingerprint of [first, second])
      expect(forgotten).toContainEqual(expect.objectContaining({ fingerprint, neededBy: [] }));
    expect(keptIn(data)).toEqual([]);
    expect(await run('forget-master-key', '--yes')).toEqual([]);
  });
});
