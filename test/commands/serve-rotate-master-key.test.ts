import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';
import { serviceEnvironment } from '../support/service.js';
import { startServe } from './support/serve.js';

const next = '7'.repeat(64);

function keyOf(data: string): string {
  return readFileSync(join(data, 'master.key'), 'utf8');
}

/** A data directory with a key and two connections. */
async function filled(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { ready, stop } = await startServe(args, env);
  const client = { ...emptyEnvironment(), ...serviceEnvironment(ready) };
  const connection = { type: 'x', config: { password: 'hunter2' } };
  const connections = ['a', 'b'].map((name) => ({ name, ...connection }));
  const create = ['connections', 'create', '--file', '-'];
  expect(await runCli(create, { env: client, stdin: JSON.stringify(connections) })).toMatchObject({
    code: 0,
  });
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
    const ended = await runCli(['serve', 'rotate-master-key', '--data', data], {
      env: { ...env, ORGCTL_SERVE_NEW_MASTER_KEY: next },
    });
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain(
      `1 API key and 2 connections are encrypted with the new master key; it is in ${join(data, 'master.key')}`,
    );
    expect(ended.stderr + ended.stdout).not.toContain(next);
    expect(ended.stderr + ended.stdout).not.toContain(old.trim());
    expect(ended.stderr).toMatch(
      /old master key is stored in .*old-master-keys\/([0-9a-f]{16})\.key, because backups made before need it; .*: orgctl serve forget-master-key \1 --data /,
    );
    expect(keyOf(data)).toBe(`${next}\n`);
    expect(keyOf(elsewhere)).toBe(oldElsewhere);
    expect(readdirSync(data)).not.toContain('master.key.new');
    const withOld = await runCli(['serve', '--port', '0', '--data', data], {
      env: { ...env, ORGCTL_SERVE_MASTER_KEY: old.trim() },
    });
    expect(withOld.code).toBe(3);
    expect(withOld.stderr).toContain('another master key');
    const again = await startServe(['--data', data], env);
    const client = { ...emptyEnvironment(), ...serviceEnvironment(again.ready) };
    expect(
      (await runCli(['connections', 'list', '-o', 'csv'], { env: client })).stdout.split('\n'),
    ).toHaveLength(4);
    expect((await again.stop()).code).toBe(143);
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
    expect(stderr).toMatch(/old master key \([0-9a-f]{16}\) is not stored.*: keep it, because backups/);
    expect(stderr).not.toContain('forget-master-key');
  });

  it('run again with the same key says that there is nothing left to do', async () => {
    const env = { ...emptyEnvironment(), ORGCTL_SERVE_NEW_MASTER_KEY: next };
    await filled([], env);
    expect((await runCli(['serve', 'rotate-master-key'], { env })).code).toBe(0);
    const { code, stderr } = await runCli(['serve', 'rotate-master-key'], { env });
    expect(code).toBe(0);
    expect(stderr).toContain('all data is encrypted with the new master key');
  });
});
