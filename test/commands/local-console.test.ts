import { afterAll, beforeAll, expect, it } from 'vitest';
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
