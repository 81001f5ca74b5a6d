import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Figures } from './measure.js';

/** npm runs scripts in the directory of package.json. */
export const orgctl = 'bin/orgctl.js';

/** Runs a Node process, with its output in a pipe, until its exit. @throws Error if it fails */
export async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Figures> {
  const started = performance.now();
  const watched = ['-r', './bench/bare/usage.cjs', ...args];
  const child = spawn(process.execPath, watched, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  const stderr = text(child.stderr);
  const [code] = await once(child, 'exit');
  const ms = performance.now() - started;
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}: ${await stderr}`);
  return { ms, ...JSON.parse((await stderr).split('\n').at(-1) ?? '') };
}

/** Starts a Node process that keeps running, and waits for its first line on stdout. */
export async function start(args: readonly string[], env: NodeJS.ProcessEnv) {
  const started = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  let complaint = '';
  child.stderr.on('data', (chunk) => (complaint = String(chunk)));
  const stop = async () => void (child.kill() && (await exited));
  for await (const line of createInterface(child.stdout)) {
    const ms = performance.now() - started;
    return { line, ms, pid: child.pid ?? 0, [Symbol.asyncDispose]: stop };
  }
  throw new Error(`${args.join(' ')} printed nothing: ${complaint}`);
}

/** Without the caller's variables: Node 20 would load the file in NODE_EXTRA_CA_CERTS at every start. */
export const cleanEnvironment = (home: string) => ({ HOME: home, ORGCTL_CONFIG_DIR: join(home, 'config') });

/** Starts `serve` on data of an earlier start, as users mostly do. `env` is a client's, with the credential. */
export async function startService(settings: NodeJS.ProcessEnv = {}) {
  const home = mkdtempSync(join(tmpdir(), 'orgctl-bench-'));
  const options = ['--port', '0', '--quota', 'connections=1000000000', '--no-profile', '-o', 'json'];
  const open = () => start([orgctl, 'serve', ...options], { ...cleanEnvironment(home), ...settings });
  await (await open())[Symbol.asyncDispose]();
  const server = await open();
  const ready: { url: string; caFile: string; keyId: string; secret: string } = JSON.parse(server.line);
  const credential = { ORGCTL_KEY_ID: ready.keyId, ORGCTL_SECRET: ready.secret };
  const place = { ORGCTL_BASE_URL: ready.url, ORGCTL_CA_FILE: ready.caFile };
  const stop = () => server[Symbol.asyncDispose]().then(() => rmSync(home, { recursive: true }));
  const env = { ...cleanEnvironment(home), ...place, ...credential };
  return { ...server, ...ready, home, env, [Symbol.asyncDispose]: stop };
}
