/**
 * What the built server does under load, against a bare node:https server that only verifies the signature, as ratios
 * of one run. Rounds alternate, so that a change in the machine's load falls on both.
 *
 *   npm run bench:server -- [--rounds N] [--seconds N] [--json]
 */
import { fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from '../src/contract/schema.js';
import { startChild } from './child.js';
import { type Comparison, median, toTable } from './comparison.js';
import { bareEnvironment, type Service, withService } from './service.js';
import { type LoadRequest, readQuotas, residentMegabytes, type UnderLoad, underLoad } from './under-load.js';

const bareServer = fileURLToPath(new URL('bare-server.js', import.meta.url));

export interface ServerOptions {
  readonly rounds: number;
  /** Of load, each time. */
  readonly seconds: number;
}

const config = { host: 'db.test', port: 5432, database: 'd', user: 'u', password: 'p', ssl: true };
const create: LoadRequest = {
  method: 'POST',
  target: '/connections',
  body: JSON.stringify({ name: 'main', type: 'postgresql', config }),
  expected: 201,
};

/** Rates, latencies and memory of `serve` with its data on disk. */
export function server(options: ServerOptions): Promise<Comparison[]> {
  return withService(['--quota', 'connections=100000000'], async (service) => {
    const reads = await reading(service, options);
    const afterReads = residentMegabytes(service.pid);
    const creations = await creating(service, options);
    const afterCreations = residentMegabytes(service.pid);
    return [
      ...reads,
      ...creations,
      { name: 'serve: memory after the GETs', median: afterReads, unit: 'MB', target: 100 },
      { name: 'serve: memory after the POSTs', median: afterCreations, unit: 'MB', target: 100 },
    ];
  });
}

/** Both servers in turn; the ratio is the median of the rounds' own ratios. */
async function reading(service: Service, { rounds, seconds }: ServerOptions): Promise<Comparison[]> {
  const env = bareEnvironment(service.directory);
  const place = { ORGCTL_DATA: service.data, ORGCTL_SECRET: service.secret };
  const other = await startChild([bareServer], { ...env, ...place });
  try {
    const targets = { own: service, bare: { ...service, url: other.line } };
    const read = (target: keyof typeof targets, duration = seconds) =>
      underLoad(targets[target], readQuotas, duration, env);
    // Until everything that is to be compiled is: the server has more of that than the bare one.
    await read('own', 3 * seconds);
    await read('bare', 3 * seconds);
    const pairs: { own: UnderLoad; bare: UnderLoad }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      pairs.push({ own: await read('own'), bare: await read('bare') });
    }
    return rowsOf(pairs);
  } finally {
    await other.stop();
  }
}

function rowsOf(pairs: readonly { own: UnderLoad; bare: UnderLoad }[]): Comparison[] {
  const row = (name: string, figure: (of: UnderLoad) => number) => ({
    name,
    median: median(pairs.map(({ own }) => figure(own))),
    baseline: {
      name: 'bare node:https + HMAC',
      median: median(pairs.map(({ bare }) => figure(bare))),
      ratio: median(pairs.map(({ own, bare }) => figure(own) / figure(bare))),
    },
  });
  return [
    { ...row('serve: GET /quotas', ({ rate }) => rate), unit: '/s', target: 0.8, bound: 'at least' },
    row('serve: GET /quotas, 99 of 100 within', ({ p99 }) => p99),
  ];
}

async function creating(service: Service, { rounds, seconds }: ServerOptions): Promise<Comparison[]> {
  const env = bareEnvironment(service.directory);
  const results: UnderLoad[] = [];
  const syncs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    syncs.push(syncsPerSecond(service.directory));
    results.push(await underLoad(service, create, seconds, env));
  }
  return [
    {
      name: 'serve: POST /connections, on disk',
      median: median(results.map(({ rate }) => rate)),
      unit: '/s',
      target: 2000,
      bound: 'at least',
      note: `the disk syncs ${median(syncs).toFixed(0)} single writes a second`,
    },
    { name: 'serve: POST, 99 of 100 within', median: median(results.map(({ p99 }) => p99)) },
  ];
}

/** How often a second the disk takes one small write for good: what single commits are bound by. */
function syncsPerSecond(directory: string): number {
  const file = openSync(join(directory, 'sync'), 'w', 0o600);
  const started = performance.now();
  const times = 300;
  for (let turn = 0; turn < times; turn += 1) {
    writeSync(file, Buffer.alloc(4096, turn));
    fdatasyncSync(file);
  }
  return times / ((performance.now() - started) / 1000);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      json: { type: 'boolean', default: false },
    },
  });
  const rounds = z.parse(z.int().check(z.minimum(1)), Number(values.rounds));
  const seconds = z.parse(z.number().check(z.positive()), Number(values.seconds));
  const comparisons = await server({ rounds, seconds });
  const head = { node: process.version, rounds, seconds };
  console.log(values.json ? JSON.stringify({ ...head, comparisons }, null, 2) : toTable(comparisons));
}
