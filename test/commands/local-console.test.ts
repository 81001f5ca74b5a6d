import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/index.js';
import { tokenOf, Visitor } from '../server/support/visitor.js';
import { emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';
import { startServe } from './support/serve.js';

const data = temporaryDirectory();
let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ data, http: true, console: true });
});
afterAll(() => server.close());

describe('local console', () => {
  const open = (...flags: string[]) => ['local', 'console', '--data', data, ...flags];

  it('prints an address that lets a browser in', async () => {
    const { code, stdout, stderr } = await runCli(open());
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const address = stdout.trimEnd();
    const { origin } = new URL(address);
    expect((await new Visitor({ console: origin }).enter(address)).status).toBe(200);
    const asJson = await runCli(open('-o', 'json'));
    expect(JSON.parse(asJson.stdout)).toEqual({ console: expect.stringContaining(`${origin}/#t=`) });
    // The file says where it is, and no token.
    expect(JSON.parse(readFileSync(join(data, 'server.json'), 'utf8'))).toMatchObject({ console: origin });
    const status = await runCli(['local', 'status', '--data', data]);
    expect(status.stdout).toContain(`CONSOLE       ${origin}\n`);
  });

  it('says so where there is no console: exit 3', async () => {
    const own = temporaryDirectory();
    const without = await startServer({ data: own, http: true });
    const off = await runCli(['local', 'console', '--data', own]);
    await without.close();
    expect(off).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('--console-port') });
    expect(off.stderr).toContain('has no management console');
  });
});

it('serve stores a key that is issued in the console as a profile, and never in the place of another', async () => {
  const env = emptyEnvironment();
  const { ready, stop } = await startServe(['--ephemeral', '--console-port', '0'], env);
  const visitor = new Visitor({ console: ready.console });
  await visitor.enter(ready.console);
  const issued = await visitor.send('POST', '/_control/keys', { name: 'ci' });
  const { id: keyId, secret } = JSON.parse(issued.text);
  const keep = (name: string) => visitor.send('POST', '/_control/profiles', { name, keyId, secret });
  expect((await keep('ci')).status).toBe(201);
  expect((await runCli(['whoami', '-p', 'ci', '-o', 'json'], { env })).stdout).toContain(keyId);
  expect((await runCli(['quotas', '-p', 'ci'], { env })).code).toBe(0);
  expect((await keep('ci')).status).toBe(409);
  const wrong = await keep('no name');
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('is not a profile name')]);
  expect((await stop()).stderr).not.toContain(tokenOf(ready.console));
});
