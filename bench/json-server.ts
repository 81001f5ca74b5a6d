import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { get as getPlain } from 'node:http';
import { get } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from '../src/api/schema/schema.js';
import { type Environment, startChild } from './child.js';
import { against, type Comparison, row } from './comparison.js';
import { inTurn } from './figures.js';
import { bareEnvironment, firstLine, orgctl, readySchema } from './service.js';
import {
  type LoadTarget,
  readQuotas,
  residentMegabytes,
  type SigningKey,
  serviceUnderLoad,
} from './under-load.js';

const release = 'json-server@0.17.4';

interface Rounds {
  readonly rounds: number;
  /** Duration of each load. */
  readonly seconds: number;
}

/** A server that can be started repeatedly at the same address. */
interface Server extends LoadTarget, SigningKey {
  readonly args: readonly string[];
}

interface Figures {
  /** Milliseconds from the start to the first response. */
  readonly start: number;
  /** Responses to GET /quotas per second, over 32 connections. */
  readonly rate: number;
  /** Resident memory after the load. */
  readonly megabytes: number;
}

/** Compares `serve` with json-server: start, rate and memory. */
export async function beside(directory: string, { rounds, seconds }: Rounds): Promise<Comparison[]> {
  const env = bareEnvironment(directory);
  const own = await ownServer(directory, env);
  const ownFigures = () => figuresOf(own, env, seconds);
  const other = await jsonServer(directory, own).catch((error: unknown) => firstLine(error));
  if (typeof other === 'string') {
    const of = await inTurn(rounds, { own: ownFigures });
    return rows(of('own'), [], `not compared with ${release}: ${other}`);
  }
  const of = await inTurn(rounds, { own: ownFigures, other: () => figuresOf(other, env, seconds) });
  return rows(
    of('own'),
    of('other'),
    `${release} uses plain HTTP and checks no signature; serve uses HTTPS and HMAC`,
  );
}

function rows(own: readonly Figures[], other: readonly Figures[], note: string): Comparison[] {
  const compared = (name: string, unit: Comparison['unit'], figure: (of: Figures) => number): Comparison => {
    if (other.length === 0) return row(name, own.map(figure), { unit });
    return against(name, own.map(figure), { name: release, values: other.map(figure) }, { unit });
  };
  return [
    { ...compared('serve: GET /quotas, 32 connections', '/s', (of) => of.rate), note },
    compared('serve: start to first response, existing data', 'ms', (of) => of.start),
    compared('serve: memory after the load', 'MB', (of) => of.megabytes),
  ];
}

/** `serve` on data from an earlier start. */
async function ownServer(directory: string, env: Environment): Promise<Server> {
  const port = await freePort();
  const data = join(directory, 'beside-data');
  const flags = ['--data', data, '--port', String(port), '--no-profile', '-o', 'json'];
  const args = [orgctl, 'serve', ...flags];
  const first = await startChild(args, env);
  const { url, caFile, keyId, secret } = z.parse(readySchema, JSON.parse(first.line));
  await first.stop();
  return { args, url, caFile, keyId, secret };
}

/** json-server with the response to `GET /quotas` as its data. @throws Error if npm cannot install it */
async function jsonServer(directory: string, { keyId, secret }: Server): Promise<Server> {
  const place = join(directory, 'json-server');
  await mkdir(place);
  await writeFile(join(place, 'package.json'), '{"private":true}');
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await promisify(execFile)('npm', ['install', ...quiet, release], { cwd: place, timeout: 120_000 });
  const data = join(place, 'db.json');
  await writeFile(
    data,
    JSON.stringify({ quotas: { data: [quotas], total: 1, page: 1, limit: 20, pages: 1 } }),
  );
  const port = String(await freePort());
  const program = join(place, 'node_modules', 'json-server', 'lib', 'cli', 'bin.js');
  const args = [program, data, '--host', '127.0.0.1', '--port', port, '--quiet'];
  return { args, url: `http://127.0.0.1:${port}`, keyId, secret };
}

const quota = { limit: 20, used: 1, remaining: 19 };
const quotas = { 'api-keys': quota, connections: quota, teams: quota };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

async function figuresOf(server: Server, env: Environment, seconds: number): Promise<Figures> {
  const started = performance.now();
  const child = spawn(process.execPath, server.args, { env, stdio: 'ignore' });
  const exited = once(child, 'exit');
  try {
    await firstAnswer(server, () => child.exitCode === null);
    const start = performance.now() - started;
    // Warms up, so that V8 compiles the code.
    await serviceUnderLoad(server, readQuotas, seconds);
    const { rate } = await serviceUnderLoad(server, readQuotas, seconds);
    return { start, rate, megabytes: residentMegabytes(z.parse(z.int(), child.pid)) };
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

/** Waits until the server responds, if only to refuse a request without a signature. */
async function firstAnswer({ url, caFile }: Server, runs: () => boolean): Promise<void> {
  const ca = caFile === undefined ? undefined : readFileSync(caFile);
  while (!(await isAnswered(`${url}/quotas`, ca))) {
    if (!runs()) throw new Error(`the server at ${url} ended`);
    await sleep(2);
  }
}

function isAnswered(url: string, ca: Buffer | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = ca === undefined ? getPlain(url, { agent: false }) : get(url, { ca, agent: false });
    asked.once('error', () => resolve(false));
    asked.once('response', (response) => {
      response.resume();
      resolve(true);
    });
  });
}
