/** Whole commands against Node with nothing to do, or a bare client with the same request. */
import { join } from 'node:path';
import { compare } from './measure.js';
import { cleanEnvironment, orgctl, run, start, startService } from './processes.js';

await using service = await startService();
const { home, env, url, keyId, caFile } = service;
const profile = ['profile', 'add', 'bench', '--base-url', url, '--key-id', keyId, '--ca-file', caFile];
await run([orgctl, ...profile, '--secret-env', 'ORGCTL_SECRET'], env);
const stored = cleanEnvironment(home);

const nothing = () => run(['-e', '0'], env);
const [bare, request] = ['bare node:https', () => run(['bench/bare/client.js'], env)] as const;
const json = [orgctl, 'quotas', '-o', 'json'];
let port = '0';
/** As users start it: with the console, and a profile that already points at its port. */
async function ready() {
  const args = [orgctl, 'serve', '--data', join(home, 'ready'), '--port', port, '-o', 'json'];
  await using server = await start(args, stored);
  port = new URL(JSON.parse(server.line).url).port;
  return { ms: server.ms };
}

await compare(21, '--version', () => run([orgctl, '--version'], env), 'node -e 0', nothing);
await compare(21, '--help', () => run([orgctl, '--help'], env), 'node -e 0', nothing);
await compare(21, 'quotas -o json', () => run(json, env), bare, request);
await compare(21, 'quotas, stored profile, table', () => run([orgctl, 'quotas'], stored), bare, request);
await compare(21, 'serve, ready on existing data', ready, 'node -e 0', nothing);
