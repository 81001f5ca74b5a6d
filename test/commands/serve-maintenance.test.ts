import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyEnvironment, errorOf, runCli, temporaryDirectory } from '../support/run-cli.js';
import { runWith, startServe } from './support/serve.js';

async function usedData(name = 'data') {
  const data = join(temporaryDirectory(), name);
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

  it('say in plain words that a file or the data is missing, and how to point to the data', async () => {
    const data = temporaryDirectory();
    const run = async (...args: string[]) =>
      errorOf(await runCli(['serve', ...args, '--data', data, '-o', 'json']));
    const [database, backup] = [join(data, 'orgctl.db'), join(data, 'b.db')];
    for (const words of [['check'], ['backup', backup], ['rotate-master-key']]) {
      expect(await run(...words)).toMatchObject({
        message: `no data: ${database}: no such file or directory`,
        hint: 'choose the data directory of the server',
      });
    }
    const message = `${backup}: no such file or directory`;
    expect(await run('restore', backup)).toMatchObject({ message });
    const none = { message: `old master key "x" not found in ${data}`, hint: 'there are no old master keys' };
    expect(await run('forget-master-key', 'x', '--yes')).toMatchObject(none);
  });

  it('end with exit 3 and what is wrong when the data is damaged', async () => {
    const data = await usedData("owner's data");
    writeFileSync(join(data, 'orgctl.db'), 'rubbish '.repeat(1000));
    for (const verb of [['check'], ['backup', join(temporaryDirectory(), 'b.db')]]) {
      const ended = await runCli(['serve', ...verb, '--data', data, '-o', 'json']);
      expect([ended.code, ended.stdout]).toEqual([3, '']);
      expect(errorOf(ended)).toMatchObject({
        message: expect.stringContaining(`${join(data, 'orgctl.db')} is damaged`),
        hint: expect.stringMatching(/^restore an? (older )?backup$/),
      });
    }
    const old = join(data, 'old-master-keys');
    mkdirSync(old, { mode: 0o700 });
    writeFileSync(join(old, `${'0'.repeat(16)}.key`), '0'.repeat(64), { mode: 0o600 });
    const forget = () => runCli(['serve', 'forget-master-key', '--yes', '--data', data]);
    expect(await forget()).toMatchObject({ code: 3, stderr: expect.stringContaining('none was deleted') });
    const started = await runCli(['serve', '--data', data, '--port', '0']);
    expect([started.code, started.stderr]).toEqual([3, expect.stringContaining('is damaged')]);
    writeFileSync(join(data, 'orgctl.db'), '');
    for (const words of [['--port', '0'], ['check']]) {
      const emptied = await runCli(['serve', ...words, '--data', data]);
      expect([emptied.code, emptied.stderr]).toEqual([3, expect.stringContaining('it is empty')]);
    }
    rmSync(join(data, 'orgctl.db'));
    expect(await forget()).toMatchObject({ code: 3, stderr: expect.stringContaining('none was deleted') });
    expect(readdirSync(old)).toHaveLength(1);
  });

  it('are for the embedded database, and say so', async () => {
    const env = { ...emptyEnvironment(), ORGCTL_SERVE_DATABASE: 'postgres://nobody@127.0.0.1:1/none' };
    for (const verb of ['backup', 'restore']) {
      const ended = await runCli(['serve', verb, 'b.db'], { env });
      expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('pg_dump')]);
    }
    const embedded = [join(temporaryDirectory(), 'b.db'), '--data', await usedData()];
    expect(await runCli(['serve', 'backup', ...embedded], { env })).toMatchObject({ code: 0 });
    const before = await runCli(['serve', '--data', 'x', 'backup', 'b.db']);
    expect([before.code, before.stderr]).toEqual([
      2,
      expect.stringContaining('options of serve do not apply'),
    ]);
  });
});

const next = '7'.repeat(64);

function keyOf(data: string): string {
  return readFileSync(join(data, 'master.key'), 'utf8');
}

/** A data directory with a key and two connections. */
async function filled(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { ready, stop } = await startServe(['--http', ...args], env);
  for (const name of ['a', 'b']) {
    const config = ['-f', `name=${name}`, '-f', 'type=x', '-f', 'config:={"password":"hunter2"}'];
    expect((await runWith(ready, ['request', 'POST', '/connections', ...config])).code).toBe(0);
  }
  await stop();
  return ready.data;
}

describe('serve rotate-master-key', () => {
  it('encrypts the data of --data, and of no other directory, with another key', async () => {
    const env = emptyEnvironment();
    const data = temporaryDirectory();
    const elsewhere = await filled([], env);
    expect(await filled(['--data', data], env)).toBe(data);
    const [old, oldElsewhere] = [keyOf(data), keyOf(elsewhere)];
    const changed = { ...env, ORGCTL_SERVE_NEW_MASTER_KEY: next };
    const rotate = () => runCli(['serve', 'rotate-master-key', '--data', data], { env: changed });
    const { code, stdout, stderr } = await rotate();
    expect(code).toBe(0);
    expect(stderr).toContain(
      `1 API key and 2 connections are encrypted with the new master key; it is in ${join(data, 'master.key')}`,
    );
    for (const key of [next, old.trim()]) expect(stderr + stdout).not.toContain(key);
    expect(stderr).toMatch(
      /older backups need the old master key, which is now in .*old-master-keys\/([0-9a-f]{16})\.key; .*: orgctl serve forget-master-key \1 --data /,
    );
    expect([keyOf(data), keyOf(elsewhere)]).toEqual([`${next}\n`, oldElsewhere]);
    expect(readdirSync(data)).not.toContain('master.key.new');
    const checked = await runCli(['serve', 'check', '--data', data], { env: emptyEnvironment() });
    expect(checked.stderr).toMatch(/to delete it: orgctl serve forget-master-key --data \S+\n$/);
    const withOld = { ...env, ORGCTL_SERVE_MASTER_KEY: old.trim() };
    const refused = await runCli(['serve', '--port', '0', '--data', data], { env: withOld });
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('another master key') });
    const again = await startServe(['--http', '--data', data], env);
    const { stdout: listed } = await runWith(again.ready, ['connections', 'list', '-o', 'csv']);
    expect(listed.split('\n')).toHaveLength(4);
    await again.stop();
    const done = 'all data is encrypted with the new master key';
    expect(await rotate()).toMatchObject({ code: 0, stderr: expect.stringContaining(done) });
  });

  it('says of a key of the environment that nothing but the environment has it', async () => {
    const env = { ...emptyEnvironment(), ORGCTL_SERVE_MASTER_KEY: '6'.repeat(64) };
    await filled([], env);
    const changed = { ...env, ORGCTL_SERVE_NEW_MASTER_KEY: next };
    const { code, stderr } = await runCli(['serve', 'rotate-master-key'], { env: changed });
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /older backups need the old master key \([0-9a-f]{16}\), which is not stored: keep it/,
    );
    expect(stderr).not.toContain('forget-master-key');
  });
});

/** Data whose key was changed twice, after a backup was made and put back. */
async function changedTwice() {
  const data = await usedData();
  const file = join(temporaryDirectory(), 'b.db');
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
    expect(no.stderr).toContain('? Backups that need it can then no longer be restored');
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

  it('forgets each of those that are named', async () => {
    const { data, run, first, second } = await changedTwice();
    expect(await run('forget-master-key', first, second, '--yes')).toHaveLength(2);
    expect(keptIn(data)).toEqual([]);
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
