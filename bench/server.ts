/**
 * What the built server does under load, against a bare node:https server that only verifies the signature, as ratios
 * of one run. Rounds alternate, so that a change in the machine's load falls on both.
 *
 *   npm run bench:server -- [--rounds N] [--seconds N] [--json]
 */
import { execFileSync } from 'node:child_process';
import { fdatasyncSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from '../src/contract/schema.js';
import { type Environment, outputOf, type RunningChild, startChild, timeToExit } from './child.js';
import { median } from './comparison.js';

const orgctl = fileURLToPath(new URL('../bin/orgctl.js', import.meta.url));
const bareServer = fileURLToPath(new URL('bare-server.js', import.meta.url));
const load = fileURLToPath(new URL('load.ts', import.meta.url));

const readySchema = z.object({
  url: z.string(),
  caFile: z.string(),
  keyId: z.string(),
  secret: z.string(),
  pid: z.int(),
});
type Ready = z.output<typeof readySchema>;
const resultSchema = z.object({ rate: z.number(), p99: z.number() });
type Result = z.output<typeof resultSchema>;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
  },
});
const rounds = z.parse(z.int().check(z.minimum(1)), Number(values.rounds));
const seconds = z.parse(z.number().check(z.positive()), Number(values.seconds));

/** Seconds of load before the first round. */
const warmUp = 3 * seconds;

const directory = await mkdtemp(join(tmpdir(), 'orgctl-bench-'));
const data = join(directory, 'data');
// Nothing of the caller's own: Node 20 loads the file of NODE_EXTRA_CA_CERTS at every start, TLS or not.
const bare: Environment = { HOME: directory, ORGCTL_CONFIG_DIR: join(directory, 'config') };

const read = { method: 'GET', target: '/quotas', expected: 200 };
const config = { host: 'db.test', port: 5432, database: 'd', user: 'u', password: 'p', ssl: true };
const create = {
  method: 'POST',
  target: '/connections',
  body: JSON.stringify({ name: 'main', type: 'postgresql', config }),
  expected: 201,
};

async function apply(target: object, what: object, duration = seconds): Promise<Result> {
  const plan = JSON.stringify({ ...target, ...what, connections: 32, seconds: duration });
  return z.parse(resultSchema, JSON.parse(await outputOf(['--import', 'tsx', load, plan], bare)));
}

function serve(directoryOfData = data): Promise<RunningChild> {
  const flags = [
    '--data',
    directoryOfData,
    '--quota',
    'connections=100000000',
    '--port',
    '0',
    '--no-profile',
    '-o',
    'json',
  ];
  return startChild([orgctl, 'serve', ...flags], bare);
}

/** Milliseconds to the ready line on existing and on fresh data, and of a Node process that does nothing. */
async function starts() {
  const existing: number[] = [];
  const fresh: number[] = [];
  const nothing: number[] = [];
  for (let turn = 0; turn < 3 * rounds; turn += 1) {
    existing.push(await timeToReady(data));
    fresh.push(await timeToReady(join(directory, `fresh-${turn}`)));
    nothing.push(await timeToExit(['-e', '0'], bare));
  }
  return { existing: median(existing), fresh: median(fresh), nothing: median(nothing) };
}

async function timeToReady(directoryOfData: string): Promise<number> {
  const server = await serve(directoryOfData);
  await server.stop();
  return server.elapsed;
}

/** Both servers in turn; the ratio is the median of the rounds' own ratios. */
async function reading(ready: Ready) {
  const other = await startChild([bareServer], { ...bare, ORGCTL_DATA: data, ORGCTL_SECRET: ready.secret });
  try {
    const pairs: { own: Result; bare: Result }[] = [];
    const against = { ...ready, url: other.line };
    // Until everything that is to be compiled is: the server has more of that than the bare one.
    for (const target of [ready, against]) await apply(target, read, warmUp);
    for (let round = 0; round < rounds; round += 1) {
      pairs.push({ own: await apply(ready, read), bare: await apply(against, read) });
    }
    return {
      own: median(pairs.map(({ own }) => own.rate)),
      ownP99: median(pairs.map(({ own }) => own.p99)),
      bare: median(pairs.map((pair) => pair.bare.rate)),
      bareP99: median(pairs.map((pair) => pair.bare.p99)),
      ratio: median(pairs.map((pair) => pair.own.rate / pair.bare.rate)),
    };
  } finally {
    await other.stop();
  }
}

/** How often a second this disk takes one small write for good: what single commits are bound by. */
function syncsPerSecond(): number {
  const file = openSync(join(directory, 'sync'), 'w', 0o600);
  const started = performance.now();
  const times = 300;
  for (let turn = 0; turn < times; turn += 1) {
    writeSync(file, Buffer.alloc(4096, turn));
    fdatasyncSync(file);
  }
  return times / ((performance.now() - started) / 1000);
}

async function creating(ready: Ready) {
  const results: Result[] = [];
  const syncs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    syncs.push(syncsPerSecond());
    results.push(await apply(ready, create));
  }
  return {
    rate: median(results.map(({ rate }) => rate)),
    p99: median(results.map(({ p99 }) => p99)),
    syncs: median(syncs),
  };
}

function residentMegabytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}

async function measure() {
  const server = await serve();
  try {
    const ready = z.parse(readySchema, JSON.parse(server.line));
    const quotas = await reading(ready);
    const memoryAfterReading = residentMegabytes(ready.pid);
    const connections = await creating(ready);
    const memory = { afterReading: memoryAfterReading, afterCreating: residentMegabytes(ready.pid) };
    return { quotas, connections, memory };
  } finally {
    await server.stop();
  }
}

function toText({ start, quotas, connections, memory }: Awaited<ReturnType<typeof all>>): string {
  const ratio = (milliseconds: number) => `ratio ${(milliseconds / start.nothing).toFixed(1)}`;
  const rows = [
    ['GET /quotas', `${quotas.own.toFixed(0)}/s, p99 ${quotas.ownP99.toFixed(1)} ms`],
    ['  bare node:https', `${quotas.bare.toFixed(0)}/s, p99 ${quotas.bareP99.toFixed(1)} ms`],
    ['  ratio', `${quotas.ratio.toFixed(2)} (to reach: 0.8)`],
    [
      'POST /connections',
      `${connections.rate.toFixed(0)}/s, p99 ${connections.p99.toFixed(1)} ms (to reach: 2000/s)`,
    ],
    ['  the disk syncs', `${connections.syncs.toFixed(0)}/s`],
    ['memory after GETs', `${memory.afterReading.toFixed(0)} MB (to reach: 100 MB)`],
    ['memory after POSTs', `${memory.afterCreating.toFixed(0)} MB`],
    ['ready, existing data', `${start.existing.toFixed(0)} ms, ${ratio(start.existing)} (to reach: 7)`],
    ['ready, fresh data', `${start.fresh.toFixed(0)} ms, ${ratio(start.fresh)}`],
    ['  node -e 0', `${start.nothing.toFixed(0)} ms`],
  ];
  return rows.map(([name = '', figure]) => `${name.padEnd(22)}${figure}`).join('\n');
}

async function all() {
  const figures = await measure();
  return { node: process.version, rounds, seconds, ...figures, start: await starts() };
}

try {
  const figures = await all();
  console.log(values.json ? JSON.stringify(figures, null, 2) : toText(figures));
} finally {
  await rm(directory, { recursive: true, force: true });
}
