import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/index.js';
import { root } from '../support/built-tool.js';
import { temporaryDirectory } from '../support/run-cli.js';

const own = temporaryDirectory();
const run = promisify(execFile);

/** From the packages of each platform: those that a program installs fetch them in a script. */
const runtimes = {
  bun: {
    package: `@oven/bun-linux-${process.arch === 'arm64' ? 'aarch64' : 'x64'}@1.4.5`,
    path: 'bin/bun',
    args: ['run'],
  },
  deno: { package: `@deno/linux-${process.arch}-glibc@2.9.6`, path: 'deno', args: ['run', '--allow-all'] },
} as const;

const program = `
  import { createClient, ServiceError, signedFetch } from '${join(root, 'dist', 'client.js')}';
  const [baseUrl, keyId, secret, caFile] = process.argv.slice(2);
  const client = createClient({ baseUrl, keyId, secret, caFile });
  const { id } = await client.teams.create({ name: 'Zoë' });
  const names = [];
  for await (const { name } of client.teams.all()) names.push(name);
  await client.teams.delete(id);
  const error = await client.teams.get(id).catch((error) => error);
  await client.close();
  const late = await client.quotas.read().catch(({ message }) => message);
  const found = { names, isService: error instanceof ServiceError, code: error.code, late };
  const signed = caFile ? {} : { signed: (await signedFetch({ keyId, secret })(baseUrl + '/quotas')).status };
  console.log(JSON.stringify({ ...found, ...signed }));`;

const expected = { names: ['Zoë'], isService: true, code: 'not_found', late: 'this client is closed' };

/** Runs the program; what it found, or said on stderr. */
async function runWith(name: keyof typeof runtimes, { url, keyId, secret, caFile }: RunningServer) {
  const { package: installed, path, args } = runtimes[name];
  const directory = join(own, 'node_modules', installed.replace(/@[\d.]+$/, ''));
  const executable = join(directory, path);
  chmodSync(executable, 0o755);
  const values = [url, keyId, secret, ...(caFile === undefined ? [] : [caFile])];
  const ended = run(executable, [...args, join(own, 'program.mjs'), ...values], { cwd: own, env: {} });
  return ended.then(
    ({ stdout }) => JSON.parse(stdout),
    ({ stderr }: { stderr: string }) => stderr,
  );
}

describe.runIf(process.platform === 'linux')('orgctl/client on another runtime', () => {
  beforeAll(() => {
    writeFileSync(join(own, 'program.mjs'), program);
    const packages = Object.values(runtimes).map((runtime) => runtime.package);
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', own];
    execFileSync('npm', ['install', ...options, ...packages], { cwd: own, stdio: 'pipe' });
  });

  it.each(['bun', 'deno'] as const)('runs on %s, and signs its fetch', async (name) => {
    await using server = await startServer({ http: true });
    expect(await runWith(name, server)).toEqual({ ...expected, signed: 200 });
  });
});
