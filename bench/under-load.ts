import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from '../src/api/schema/schema.js';
import { outputOf } from './child.js';
import { connectionNamed } from './entries.js';

const loadProgram = fileURLToPath(new URL('load.ts', import.meta.url));
const underLoadSchema = z.object({ requests: z.int(), rate: z.number(), p50: z.number(), p99: z.number() });

/** What servers did: answers in all and a second, and the milliseconds within which half and 99 of 100 came. */
export type UnderLoad = z.output<typeof underLoadSchema>;

/** With what requests are signed. */
export interface SigningKey {
  readonly keyId: string;
  readonly secret: string;
}

/** Where load goes. */
export interface LoadTarget {
  readonly url: string;
  readonly caFile?: string | undefined;
}

/** The request that is sent over and over, and the status of its answer. */
export interface LoadRequest {
  readonly method: string;
  readonly target: string;
  readonly body?: string;
  readonly expected: number;
}

export const readQuotas: LoadRequest = { method: 'GET', target: '/quotas', expected: 200 };

export const createConnection: LoadRequest = {
  method: 'POST',
  target: '/connections',
  body: JSON.stringify(connectionNamed('main')),
  expected: 201,
};

export interface Load {
  readonly servers: readonly LoadTarget[];
  /** One after the other signs. */
  readonly keys: readonly SigningKey[];
  readonly request: LoadRequest;
  readonly seconds: number;
  /** That stay open, over all servers; 32 unless said otherwise. */
  readonly connections?: number;
}

/** Servers under the load of another process. */
export async function underLoad({ request, connections = 32, ...rest }: Load): Promise<UnderLoad> {
  const plan = JSON.stringify({ ...rest, ...request, connections });
  return z.parse(underLoadSchema, JSON.parse(await outputOf(['--import', 'tsx', loadProgram, plan], {})));
}

/** As that, of the one server that a service is. */
export function serviceUnderLoad(
  { url, caFile, keyId, secret }: LoadTarget & SigningKey,
  request: LoadRequest,
  seconds: number,
  connections?: number,
): Promise<UnderLoad> {
  const servers = [{ url, ...(caFile !== undefined && { caFile }) }];
  return underLoad({
    servers,
    keys: [{ keyId, secret }],
    request,
    seconds,
    ...(connections && { connections }),
  });
}

/** The memory that a process has now, in megabytes (2^20 bytes). */
export function residentMegabytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}
