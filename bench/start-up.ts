/**
 * What a start of the built tool costs, as ratios of one run: absolute times move from machine to machine.
 *
 *   npm run bench -- [--pairs N] [--json]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from '../src/contract/schema.js';
import { type Environment, startChild, timeToExit } from './child.js';
import { type Comparison, compare, repeat, toTable } from './comparison.js';

const orgctl = fileURLToPath(new URL('../bin/orgctl.js', import.meta.url));
const bareRequest = fileURLToPath(new URL('bare-request.js', import.meta.url));

const readySchema = z.object({ url: z.string(), caFile: z.string(), keyId: z.string(), secret: z.string() });

const { values } = parseArgs({
  options: { pairs: { type: 'string', default: '15' }, json: { type: 'boolean', default: false } },
});
const pairs = z.parse(z.int().check(z.minimum(1)), Number(values.pairs));

const directory = await mkdtemp(join(tmpdir(), 'orgctl-bench-'));
// Nothing of the caller's own: Node 20 loads the file of NODE_EXTRA_CA_CERTS at every start, TLS or not.
const bare: Environment = { HOME: directory, ORGCTL_CONFIG_DIR: join(directory, 'config') };
const nothing = { name: 'node -e 0', measure: () => timeToExit(['-e', '0'], bare) };

function serveArguments(...flags: string[]): string[] {
  return [orgctl, 'serve', '--port', '0', '--no-profile', '-o', 'json', ...flags];
}

async function clientStarts(): Promise<Comparison[]> {
  const server = await startChild(serveArguments('--ephemeral'), bare);
  try {
    const { url, caFile, keyId, secret } = z.parse(readySchema, JSON.parse(server.line));
    const credentials = {
      ORGCTL_BASE_URL: url,
      ORGCTL_CA_FILE: caFile,
      ORGCTL_KEY_ID: keyId,
      ORGCTL_SECRET: secret,
    };
    const env = { ...bare, ...credentials };
    const run =
      (...args: string[]) =>
      () =>
        timeToExit([orgctl, ...args], env);
    const node = { name: 'bare node:https', measure: () => timeToExit([bareRequest], env) };
    return [
      await compare('orgctl --version', run('--version'), nothing, { pairs, target: 1.6 }),
      await compare('orgctl --help', run('--help'), nothing, { pairs }),
      await compare('orgctl sign GET /x', run('sign', 'GET', '/x'), nothing, { pairs }),
      await compare('orgctl quotas -o json', run('quotas', '-o', 'json'), node, { pairs, target: 3 }),
    ];
  } finally {
    await server.stop();
  }
}

async function timeToReady(data: string): Promise<number> {
  const server = await startChild(serveArguments('--data', data), bare);
  await server.stop();
  return server.elapsed;
}

async function serverStarts(): Promise<Comparison[]> {
  const fresh = async () => timeToReady(await mkdtemp(join(directory, 'data-')));
  const existing = join(directory, 'data');
  return [
    await repeat('orgctl serve, ready on fresh data', fresh, { times: pairs, target: 400 }),
    await repeat('orgctl serve, ready on existing data', () => timeToReady(existing), {
      times: pairs,
      target: 400,
    }),
  ];
}

try {
  const comparisons = [...(await clientStarts()), ...(await serverStarts())];
  const node = { version: process.version, pairs };
  console.log(values.json ? JSON.stringify({ ...node, comparisons }, null, 2) : toTable(comparisons));
} finally {
  await rm(directory, { recursive: true, force: true });
}
