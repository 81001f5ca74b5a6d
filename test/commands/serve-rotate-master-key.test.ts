import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';
import { runWith, startServe } from './support/serve.js';

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

  it('takes the default directory without --data, and a key of its own making', async () => {
    const env = emptyEnvironment();
    const data = await filled([], env);
    const old = keyOf(data);
    expect((await runCli(['serve', 'rotate-master-key'], { env })).code).toBe(0);
    expect(keyOf(data)).toMatch(/^[0-9a-f]{64}\n$/);
    expect(keyOf(data)).not.toBe(old);
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
