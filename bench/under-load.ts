import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from '../src/contract/schema.js';
import { type Environment, outputOf } from './child.js';

const load = fileURLToPath(new URL('load.ts', import.meta.url));
const underLoadSchema = z.object({ rate: z.number(), p99: z.number() });

/** What a server did: answers a second, and the milliseconds within which 99 of 100 came. */
export type UnderLoad = z.output<typeof underLoadSchema>;

/** Where the load goes, and with which key. */
export interface LoadTarget {
  readonly url: string;
  readonly keyId: string;
  readonly secret: string;
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

/** A server under the load of another process, over 32 connections that stay open. */
export async function underLoad(
  { url, keyId, secret, caFile }: LoadTarget,
  request: LoadRequest,
  seconds: number,
  env: Environment,
): Promise<UnderLoad> {
  const plan = { url, keyId, secret, caFile, ...request, connections: 32, seconds };
  const printed = await outputOf(['--import', 'tsx', load, JSON.stringify(plan)], env);
  return z.parse(underLoadSchema, JSON.parse(printed));
}

/** The memory that a process has now, in megabytes (2^20 bytes). */
export function residentMegabytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}
