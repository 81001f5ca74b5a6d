import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Credential, signedHeaders } from '../src/signing/index.js';

const config = { host: 'db.test', port: 5432, database: 'app', user: 'app', password: 'p', ssl: true };
const connection = JSON.stringify({ name: 'main', type: 'postgresql', config });
export const createConnection = { method: 'POST', target: '/connections', body: connection };
export const readQuotas = { method: 'GET', target: '/quotas', body: '' };

/** A server or proxy, its process, and a temporary directory. */
type Target = Credential & { readonly url: string; readonly pid: number; readonly home: string };

/**
 * Repeats a request over 32 connections with wrk, which takes less of the shared cores than a load generator on Node.
 * Signs once, because the server accepts a timestamp for minutes. @throws Error if a response is not 2xx
 */
export async function load(target: Target, request: typeof readQuotas) {
  const script = join(target.home, 'load.lua');
  writeFileSync(script, toLua(target, request), { mode: 0o600 });
  const before = cpuOf(target.pid);
  const args = ['-t1', '-c32', '-d3s', '-s', script, target.url + request.target];
  const { stdout } = await promisify(execFile)('wrk', args);
  const [, requests] = /(\d+) requests in/.exec(stdout) ?? [];
  if (requests === undefined || /Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
  const cpu = (cpuOf(target.pid) - before) / Number(requests);
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${target.pid}/status`, 'utf8')) ?? [];
  return { '/s': Number(requests) / 3, 'µs CPU': cpu, MB: Number(kilobytes) / 1024 };
}

/** The request as a script of wrk. Strings of JSON are also strings of Lua. */
function toLua(key: Target, { method, target, body }: typeof readQuotas): string {
  const contentType = body && 'application/json';
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signed = signedHeaders(key, { method, target, timestamp, contentType, body: Buffer.from(body) });
  const headers = Object.entries({ ...signed, ...(body && { 'Content-Type': contentType }) });
  const lines = headers.map(([name, value]) => `wrk.headers["${name}"] = "${value}"`);
  return [`wrk.method = "${method}"`, `wrk.body = ${JSON.stringify(body)}`, ...lines].join('\n');
}

/** Microseconds of CPU time so far (proc(5), `stat`), which Linux counts in hundredths of a second. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ');
  return (Number(fields?.[11]) + Number(fields?.[12])) * 10_000;
}
