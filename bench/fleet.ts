import { join } from 'node:path';
import type { RunningChild } from './child.js';
import { processorTime } from './processor-time.js';
import { bareEnvironment, type Ready, startServe } from './service.js';
import { type LoadRequest, type SigningKey, type UnderLoad, underLoad } from './under-load.js';

/** Several servers with the same data. */
export interface Fleet {
  readonly servers: readonly (RunningChild & { readonly ready: Ready })[];
}

/** The result of a load, with the milliseconds of processor time per request in servers and database. */
export interface FleetUnderLoad extends UnderLoad {
  readonly serverTime: number;
  readonly databaseTime: number;
}

interface FleetOptions {
  /** Temporary directory of the benchmark. */
  readonly directory: string;
  readonly name: string;
  readonly size: number;
  /** URL of the database; default: the embedded database. */
  readonly database?: string;
  /** Seed file; only the first server loads it. */
  readonly seed: string;
}

export async function startFleet({ directory, name, size, database, seed }: FleetOptions): Promise<Fleet> {
  const env = {
    ...bareEnvironment(directory),
    ORGCTL_SERVE_MASTER_KEY: '5'.repeat(64),
    ...(database !== undefined && { ORGCTL_SERVE_DATABASE: database }),
  };
  const servers: Fleet['servers'][number][] = [];
  for (let at = 0; at < size; at += 1) {
    servers.push(await startServe(join(directory, `${name}-${at}`), ['--seed', seed], env));
  }
  return { servers };
}

/** @param databaseClock milliseconds of processor time that the database has used so far */
export async function fleetUnderLoad(
  { servers }: Fleet,
  keys: readonly SigningKey[],
  request: LoadRequest,
  seconds: number,
  databaseClock: () => number,
): Promise<FleetUnderLoad> {
  const serverClock = () => servers.reduce((sum, { ready }) => sum + processorTime(ready.pid), 0);
  const [server, database] = [serverClock(), databaseClock()];
  const targets = servers.map(({ ready: { url, caFile } }) => ({ url, caFile }));
  const result = await underLoad({ servers: targets, keys, request, seconds });
  return {
    ...result,
    serverTime: (serverClock() - server) / result.requests,
    databaseTime: (databaseClock() - database) / result.requests,
  };
}

export function stopFleet({ servers }: Fleet): Promise<unknown> {
  return Promise.all(servers.map((server) => server.stop()));
}
