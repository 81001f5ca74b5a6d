import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from '../src/api/schema/schema.js';
import { outputOf } from './child.js';
import { connectionNamed } from './entries.js';

const loadProgram = fileURLToPath(new URL('load.ts', import.meta.url));
const underLoadSchema = z.object({ requests: z.int(), rate: z.number(), p50: z.number(), p99: z.number() });

/** The result of a load: responses in total and per second, median and 99th percentile of their milliseconds. */
export type UnderLoad = z.output<typeof underLoadSchema>;

export interface SigningKey {
  readonly keyId: string;
  readonly secret: string;
}

export interface LoadTarget {
  readonly url: string;
  readonly caFile?: string | undefined;
}

/** A request to repeat, and the expected status of its response. */
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
  /** Sign requests in turn. */
  readonly keys: readonly SigningKey[];
  readonly request: LoadRequest;
  readonly seconds: number;
  /** Open connections to all servers together; default: 32. */
  readonly connections?: number;
}

/** Puts load on servers from another process. */
export async function underLoad({ request, connections = 32, ...rest }: Load): Promise<UnderLoad> {
  const plan = JSON.stringify({ ...rest, ...request, connections });
  return z.parse(underLoadSchema, JSON.parse(await outputOf(['--import', 'tsx', loadProgram, plan], {})));
}

/** Like `underLoad`, for a single server with one key. */
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

/** A process's current resident memory, in megabytes (2^20 bytes). */
export function residentMegabytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}
