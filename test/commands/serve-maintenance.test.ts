import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('there is data already')]);
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
        message: `no data: ${database} is missing`,
        hint: 'choose the data directory of the server',
      });
    }
    const message = `${backup}: no such file or directory`;
    expect(await run('restore', backup)).toMatchObject({ message });
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
    const started = await runCli(['serve', '--data', data, '--port', '0']);
    expect([started.code, started.stderr]).toEqual([3, expect.stringContaining('is damaged')]);
    writeFileSync(join(data, 'orgctl.db'), '');
    for (const words of [['--port', '0'], ['check']]) {
      const emptied = await runCli(['serve', ...words, '--data', data]);
      expect([emptied.code, emptied.stderr]).toEqual([3, expect.stringContaining('it is empty')]);
    }
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
      expect.stringContaining('options before backup do not apply'),
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
      `3 secrets encrypted with the new master key; it is in ${join(data, 'master.key')}`,
    );
    for (const key of [next, old.trim()]) expect(stderr + stdout).not.toContain(key);
    expect(stderr).toMatch(/older backups need the old master keys \([0-9a-f]{16}\): keep them/);
    expect([keyOf(data), keyOf(elsewhere)]).toEqual([`${next}\n${old}`, oldElsewhere]);
    const checked = await runCli(['serve', 'check', '--data', data], { env: emptyEnvironment() });
    expect(checked.stderr).toMatch(/old master keys, which only backups need: [0-9a-f]{16}/);
    const withOld = { ...env, ORGCTL_SERVE_MASTER_KEY: old.trim() };
    const refused = await runCli(['serve', '--port', '0', '--data', data], { env: withOld });
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('needs the master key') });
    const again = await startServe(['--http', '--data', data], env);
    const { stdout: listed } = await runWith(again.ready, ['connections', 'list', '-o', 'csv']);
    expect(listed.split('\n')).toHaveLength(4);
    await again.stop();
    const done = '0 secrets encrypted with the new master key';
    expect(await rotate()).toMatchObject({ code: 0, stderr: expect.stringContaining(done) });
  });

  it('says of a key of the environment that nothing but the environment has it', async () => {
    const env = { ...emptyEnvironment(), ORGCTL_SERVE_MASTER_KEY: '6'.repeat(64) };
    await filled([], env);
    const changed = { ...env, ORGCTL_SERVE_NEW_MASTER_KEY: next };
    const { code, stderr } = await runCli(['serve', 'rotate-master-key'], { env: changed });
    expect(code).toBe(0);
    expect(stderr).toMatch(/older backups need the old master keys \([0-9a-f]{16}\): keep them/);
  });
});
