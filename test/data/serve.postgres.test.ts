import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { useDatabase } from '../support/databases.js';
import { emptyEnvironment, runCli, startCli, temporaryDirectory } from '../support/run-cli.js';
import { startServe } from '../support/serve.js';
import { serviceEnvironment } from '../support/service.js';

const database = useDatabase();
const masterKey = '5'.repeat(64);
afterEach(() => vi.unstubAllEnvs());

it('serve keeps its data in the database of the variable, and tells its password nobody', async () => {
  const url = await database.fresh();
  const env = { ...emptyEnvironment(), ORGCTL_SERVE_DATABASE: url, ORGCTL_SERVE_MASTER_KEY: masterKey };
  const first = await startServe([], env);
  const client = { ...emptyEnvironment(), ...serviceEnvironment(first.ready) };
  expect((await runCli(['teams', 'create', '--name', 'kept'], { env: client })).code).toBe(0);
  const firstEnd = await first.stop();
  const elsewhere = { ...emptyEnvironment(), ...env, XDG_DATA_HOME: emptyEnvironment()['XDG_DATA_HOME'] };
  const { system, ended } = startCli(['serve', '--port', '0'], { env: elsewhere });
  await expect.poll(() => system.stderrText()).toContain('orgctl quotas');
  system.raise('SIGTERM');
  const secondEnd = await ended;
  expect(secondEnd.stderr).toContain(first.ready.keyId);
  const { hostname, port, pathname, password } = new URL(url);
  expect(secondEnd.stderr).toContain(`postgres://${hostname}:${port}${pathname}`);
  for (const { stdout, stderr } of [firstEnd, secondEnd]) {
    expect(stdout + stderr).not.toContain(decodeURIComponent(password));
    expect(stdout + stderr).not.toContain(password);
  }
});

it('the master key is the file of the data directory, made by the first server and needed by all others', async () => {
  const env = { ...emptyEnvironment(), ORGCTL_SERVE_DATABASE: await database.fresh() };
  const first = await startServe([], env);
  expect((await stat(join(first.ready.data, 'master.key'))).mode & 0o777).toBe(0o600);
  const beside = await startServe([], env);
  expect(beside.ready).toMatchObject({ keyId: first.ready.keyId, secret: first.ready.secret });
  const elsewhere = { ...env, XDG_DATA_HOME: emptyEnvironment()['XDG_DATA_HOME'] };
  const without = await runCli(['serve', '--port', '0'], { env: elsewhere });
  expect(without.code).toBe(3);
  expect(without.stderr).toContain('master.key is missing');
  const wrong = { ...elsewhere, ORGCTL_SERVE_MASTER_KEY: '6'.repeat(64) };
  const refused = await runCli(['serve', '--port', '0'], { env: wrong });
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain('which is not in the key ring');
  await Promise.all([first.stop(), beside.stop()]);
});

it('its master key is changed and checked with the directory and the database, and another is refused', async () => {
  const url = new URL(await database.fresh());
  vi.stubEnv('PGPASSWORD', decodeURIComponent(url.password));
  url.password = '';
  const data = join(temporaryDirectory(), 'a');
  const place = ['--data', data, '--database', url.href];
  const unused = await runCli(['serve', 'check', ...place]);
  expect(unused).toMatchObject({ code: 3, stderr: expect.stringContaining(' is empty') });
  await (await startServe(place)).stop();
  for (const verb of ['rotate-master-key', 'check'])
    expect(await runCli(['serve', verb, ...place])).toMatchObject({ code: 0 });
  const elsewhere = temporaryDirectory();
  await writeFile(join(elsewhere, 'master.key'), masterKey, { mode: 0o600 });
  const refused = await runCli(['serve', '--port', '0', '--data', elsewhere, '--database', url.href]);
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain('which is not in the key ring');
});
