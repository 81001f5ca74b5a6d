import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { root } from '../support/built-tool.js';
import { temporaryDirectory } from '../support/run-cli.js';

const bun = `@oven/bun-linux-${process.arch === 'arm64' ? 'aarch64' : 'x64'}`;

const program = `
  import { createClient, ServiceError, signedFetch } from '${join(root, 'dist', 'client.js')}';
  const [baseUrl, keyId, secret] = process.argv.slice(2);
  const client = createClient({ baseUrl, keyId, secret });
  const { id } = await client.teams.create({ name: 'Zoë' });
  const names = [];
  for await (const { name } of client.teams.all()) names.push(name);
  await client.teams.delete(id);
  const error = await client.teams.get(id).catch((error) => error);
  await client.close();
  const found = { names, isService: error instanceof ServiceError, code: error.code };
  const signed = (await signedFetch({ keyId, secret })(baseUrl + '/quotas')).status;
  console.log(JSON.stringify({ ...found, signed }));`;

// From the packages of each platform: those that a program installs fetch them in a script.
it.runIf(process.platform === 'linux').each([
  [`${bun}@1.4.5`, 'bin/bun', ['run']],
  [`@deno/linux-${process.arch}-glibc@2.9.6`, 'deno', ['run', '--allow-all']],
])('orgctl/client runs on %s, and signs its fetch', async (installed, path, args) => {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'program.mjs'), program);
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', cwd];
  execFileSync('npm', ['install', ...options, installed], { cwd, stdio: 'pipe' });
  const runtime = join(cwd, 'node_modules', installed.replace(/@[\d.]+$/, ''), path);
  chmodSync(runtime, 0o755);
  await using server = await startServer({ http: true });
  const { url, keyId, secret } = server;
  const words = [...args, join(cwd, 'program.mjs'), url, keyId, secret];
  const { stdout } = await promisify(execFile)(runtime, words, { cwd, env: {} });
  expect(JSON.parse(stdout)).toEqual({ names: ['Zoë'], isService: true, code: 'not_found', signed: 200 });
});
