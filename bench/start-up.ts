/**
 * How long the built tool takes to start, compared with Node or a bare request in the same run, because absolute times
 * depend on the machine. Output goes to a pipe, as in a script; compiled code is cached from an earlier run.
 *
 *   npm run bench:start-up -- [--pairs N] [--json]
 */
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Environment, outputOf, startChild, timeToExit, watch } from './child.js';
import { whenStarted } from './command-line.js';
import { type Comparison, compare } from './comparison.js';
import { DelayingProxy } from './delaying-proxy.js';
import { bareEnvironment, orgctl, type Service, withService } from './service.js';

const bareRequest = fileURLToPath(new URL('bare-request.js', import.meta.url));

export interface StartUpOptions {
  readonly pairs: number;
}

/** Compares commands with starting Node and with a bare request; measures `serve` until it is ready. */
export function startUp({ pairs }: StartUpOptions): Promise<Comparison[]> {
  return withService([], async (service) => [
    ...(await offline(service, pairs)),
    ...(await requests(service, pairs)),
    await tab(service, pairs),
    await farAway(service, Math.ceil(pairs / 3)),
    ...(await servers(service, pairs)),
  ]);
}

const nothing = (env: Environment) => ({ name: 'node -e 0', measure: () => timeToExit(['-e', '0'], env) });

async function offline({ env }: Service, pairs: number): Promise<Comparison[]> {
  const against = (target: number, ...args: string[]) =>
    compare(`orgctl ${args.join(' ')}`, () => timeToExit([orgctl, ...args], env), nothing(env), {
      pairs,
      target,
    });
  const uncached = withoutCompiledCode(env);
  const without = () => timeToExit([orgctl, '--help'], uncached);
  return [
    await against(1.1, '--version'),
    await against(1.18, '--help'),
    await against(1.5, 'connections', 'create', '--help'),
    await compare('orgctl --help, without cached code', without, nothing(env), { pairs }),
  ];
}

function withoutCompiledCode(env: Environment): Environment {
  return { ...env, NODE_DISABLE_COMPILE_CACHE: '1' };
}

async function requests({ env, directory }: Service, pairs: number): Promise<Comparison[]> {
  const profiled = await withProfile(env, directory);
  const node = { name: 'bare node:https', measure: () => timeToExit([bareRequest], env) };
  const memoryOf = (args: readonly string[], own: Environment) => async () =>
    (await watch(args, own)).peakMegabytes;
  const bareMemory = { name: node.name, measure: memoryOf([bareRequest], env) };
  const json = [orgctl, 'quotas', '-o', 'json'];
  // Needs no -p, because the only profile is the current one.
  const table = [orgctl, 'quotas'];
  return [
    await compare('orgctl quotas -o json', () => timeToExit(json, env), node, { pairs, target: 1.2 }),
    await compare('orgctl quotas', () => timeToExit(table, profiled), node, { pairs, target: 1.4 }),
    await compare(
      'orgctl quotas -o json, without cached code',
      () => timeToExit(json, withoutCompiledCode(env)),
      node,
      { pairs, target: 1.55 },
    ),
    await peak('orgctl quotas -o json', memoryOf(json, env), bareMemory, pairs),
    await peak('orgctl quotas', memoryOf(table, profiled), bareMemory, pairs),
  ];
}

/** Adds a profile, and returns an environment without a credential, in which that profile is used. */
async function withProfile(env: Environment, directory: string): Promise<Environment> {
  const { ORGCTL_BASE_URL = '', ORGCTL_KEY_ID = '', ORGCTL_CA_FILE = '' } = env;
  const place = ['--base-url', ORGCTL_BASE_URL, '--key-id', ORGCTL_KEY_ID, '--ca-file', ORGCTL_CA_FILE];
  await outputOf([orgctl, 'profile', 'add', 'bench', ...place, '--secret-env', 'ORGCTL_SECRET'], env);
  return bareEnvironment(directory);
}

/** The command that a shell runs when the user presses Tab. */
function tab({ env }: Service, pairs: number): Promise<Comparison> {
  const ask = [orgctl, '__complete', '--', 'connections', 'cr'];
  return compare('Tab: orgctl connections cr', () => timeToExit(ask, env), nothing(env), { pairs });
}

/** A request to a service with a delay of 25 ms in each direction. */
async function farAway({ env, url }: Service, pairs: number): Promise<Comparison> {
  const proxy = await DelayingProxy.open(Number(new URL(url).port), 25);
  const far = { ...env, ORGCTL_BASE_URL: `https://127.0.0.1:${proxy.port}` };
  try {
    return await compare(
      'orgctl quotas -o json, round trip of 50 ms',
      () => timeToExit([orgctl, 'quotas', '-o', 'json'], far),
      { name: 'bare node:https', measure: () => timeToExit([bareRequest], far) },
      { pairs },
    );
  } finally {
    proxy.close();
  }
}

function peak(
  name: string,
  measure: () => Promise<number>,
  against: { readonly name: string; readonly measure: () => Promise<number> },
  pairs: number,
): Promise<Comparison> {
  return compare(`${name}: peak memory`, measure, against, { pairs, target: 1.18, unit: 'MB' });
}

/**
 * `serve` as users start it: with the default data directory, the profile `local`, and a banner when it is ready. Only
 * the ports are chosen, and reused for every start.
 */
async function servers({ directory }: Service, pairs: number): Promise<Comparison[]> {
  const against = nothing(bareEnvironment(directory));
  const ports = ['--port', `${await freePort()}`, '--console-port', `${await freePort()}`];
  const used = await mkdtemp(join(directory, 'home-'));
  const existing = () => timeToBanner(ports, used);
  const fresh = async () => timeToBanner(ports, await mkdtemp(join(directory, 'home-')));
  await existing();
  return [
    await compare('orgctl serve, ready on existing data', existing, against, { pairs, target: 5 }),
    await compare('orgctl serve, ready on fresh data', fresh, against, { pairs, target: 9 }),
  ];
}

async function timeToBanner(ports: readonly string[], home: string): Promise<number> {
  // Starts share cached compiled code even if their home directories differ.
  const env = { ...bareEnvironment(home), XDG_CACHE_HOME: join(dirname(home), '.cache') };
  const server = await startChild([orgctl, 'serve', ...ports], env, 'stderr');
  await server.stop();
  if (server.line !== 'orgctl serve is ready.') throw new Error(server.line);
  return server.elapsed;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

await whenStarted(import.meta.url, { pairs: 21 }, startUp);
