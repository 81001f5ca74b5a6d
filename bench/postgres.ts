/**
 * Throughput of 1, 2 and 4 servers on one PostgreSQL, compared with a server on the embedded database, and with pgbench
 * on the same PostgreSQL with the SQL statements of single requests. 32 concurrent requests, distributed over all
 * servers; servers, clients and database share the machine's cores.
 *
 *   npm run bench:postgres -- [--rounds N] [--seconds N] [--json]
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgres, PostgresCluster } from '../test/support/postgres-cluster.js';
import { readNumbers } from './command-line.js';
import { against, type Comparison, row, toTable } from './comparison.js';
import { figureOf, inTurn, type Results } from './figures.js';
import { type Fleet, type FleetUnderLoad, fleetUnderLoad, startFleet, stopFleet } from './fleet.js';
import { creatingStatements, pgbench, readingStatements } from './pgbench.js';
import { processorTimeWithChildren } from './processor-time.js';
import { createConnection, readQuotas, type SigningKey } from './under-load.js';

const { numbers, json } = readNumbers({ rounds: 5, seconds: 2 });
const { rounds, seconds } = numbers;

/** The organizations in all servers; measurements use only the first, unless their names say otherwise. */
const organizations = Array.from({ length: 100 }, (_, at) => ({
  id: `org_${at}`,
  name: `organization ${at}`,
  quotas: { connections: 1_000_000_000 },
  keys: [{ id: `key_${at}`, secret: String(at).padStart(64, 's') }],
}));
const keys: readonly SigningKey[] = organizations.flatMap((organization) =>
  organization.keys.map(({ id, secret }) => ({ keyId: id, secret })),
);
const oneKey = keys.slice(0, 1);
const [{ id: oneOrganization } = { id: '' }] = organizations;

const found = findPostgres();
if (found === undefined) throw new Error('PostgreSQL not found: install its server');
const programs = found;
const directory = await mkdtemp(join(tmpdir(), 'orgctl-bench-'));
const cluster = await PostgresCluster.start(programs, ['fsync=on', 'max_connections=200']);

type Where = 'embedded' | '1 server' | '2 servers' | '4 servers' | 'pgbench, 10' | 'pgbench, 32';
type What = 'GET' | 'POST' | 'POST, 100 organizations';
type Name = `${Where}: ${What}`;

async function measured(): Promise<Results<string, FleetUnderLoad>> {
  const seed = join(directory, 'seed.json');
  await writeFile(seed, JSON.stringify({ organizations }));
  const database = cluster.url();
  const postmaster = Number((await readFile(join(cluster.data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  const fleets = new Map<Where, Fleet>();
  try {
    fleets.set('embedded', await startFleet({ directory, name: 'embedded', size: 1, seed }));
    for (const size of [1, 2, 4] as const) {
      const name = size === 1 ? '1 server' : (`${size} servers` as const);
      fleets.set(name, await startFleet({ directory, name: `fleet-${size}`, size, database, seed }));
    }
    for (const fleet of fleets.values()) await warmUp(fleet);
    return await inTurn(
      rounds,
      measures(fleets, () => processorTimeWithChildren(postmaster)),
    );
  } finally {
    await Promise.all([...fleets.values()].map(stopFleet));
  }
}

/** Runs until V8 has compiled each server's code, which takes longer if more servers share a load. */
async function warmUp(fleet: Fleet): Promise<void> {
  for (const request of [readQuotas, createConnection]) {
    await fleetUnderLoad(fleet, keys, request, 2 * seconds * fleet.servers.length, () => 0);
  }
}

function measures(fleets: ReadonlyMap<Where, Fleet>, databaseClock: () => number) {
  const all: Record<string, () => Promise<FleetUnderLoad>> = {};
  const add = (name: Name, measure: () => Promise<FleetUnderLoad>) => {
    all[name] = measure;
  };
  for (const [where, fleet] of fleets) {
    const load = (signing: readonly SigningKey[], request: typeof readQuotas) => () =>
      fleetUnderLoad(fleet, signing, request, seconds, databaseClock);
    add(`${where}: GET`, load(oneKey, readQuotas));
    add(`${where}: POST`, load(oneKey, createConnection));
    add(`${where}: POST, 100 organizations`, load(keys, createConnection));
  }
  for (const clients of [10, 32] as const) {
    const bench = (statements: string) => async () => {
      const before = databaseClock();
      const place = { programs, url: cluster.url(), directory };
      const result = await pgbench({ ...place, statements, clients, seconds });
      return { ...result, serverTime: 0, databaseTime: (databaseClock() - before) / result.requests };
    };
    add(`pgbench, ${clients}: GET`, bench(readingStatements(oneOrganization)));
    add(`pgbench, ${clients}: POST`, bench(creatingStatements(oneOrganization)));
  }
  return all;
}

function judged(of: Results<string, FleetUnderLoad>): Comparison[] {
  const rates = (name: Name) => of(name).map(({ rate }) => rate);
  const rate = (name: Name, other: Name, target: number) =>
    against(
      name,
      rates(name),
      { name: other, values: rates(other) },
      { unit: '/s', target, bound: 'at least' },
    );
  return [
    rate('1 server: POST', 'pgbench, 10: POST', 0.9),
    rate('4 servers: POST', '1 server: POST', 1.2),
    rate('1 server: GET', 'embedded: GET', 0.45),
    rate('4 servers: POST, 100 organizations', '4 servers: POST', 1.5),
    row(
      '1 server: POST, p99 latency',
      of('1 server: POST').map(({ p99 }) => p99),
      { target: 80 },
    ),
  ];
}

/** A Markdown table with a row for each measurement: rate, latency, and processor time per request. */
function toMarkdown(names: readonly string[], of: Results<string, FleetUnderLoad>): string {
  const lines = names.map((name) => {
    const median = (figure: (one: FleetUnderLoad) => number) => figureOf(of(name).map(figure)).median;
    const time = (milliseconds: number) => (milliseconds * 1000).toFixed(0);
    const rate = figureOf(of(name).map((one) => one.rate));
    return [
      name,
      `${rate.median.toFixed(0)} (${rate.low.toFixed(0)}–${rate.high.toFixed(0)})`,
      median(({ p99 }) => p99).toFixed(0),
      name.startsWith('pgbench') ? '' : time(median(({ serverTime }) => serverTime)),
      name.startsWith('embedded') ? '' : time(median(({ databaseTime }) => databaseTime)),
    ].join(' | ');
  });
  const head = ['', '/s (quartiles)', 'p99 ms', 'server CPU µs', 'database CPU µs'].join(' | ');
  return [`| ${head} |`, '|---|---|---|---|---|', ...lines.map((line) => `| ${line} |`)].join('\n');
}

try {
  const of = await measured();
  const names = (['GET', 'POST', 'POST, 100 organizations'] as const).flatMap((what) =>
    ['embedded', '1 server', '2 servers', '4 servers', 'pgbench, 10', 'pgbench, 32'].map(
      (where) => `${where}: ${what}`,
    ),
  );
  const present = names.filter((name) => of(name).length > 0);
  const machine = `Node.js ${process.version}, ${cpus().length} cores, ${rounds} rounds of ${seconds} s`;
  if (json) {
    const figures = Object.fromEntries(present.map((name) => [name, of(name)]));
    console.log(JSON.stringify({ machine, comparisons: judged(of), figures }, null, 2));
  } else console.log(`${machine}\n\n${toMarkdown(present, of)}\n\n${toTable(judged(of))}`);
} finally {
  await cluster.stop();
  await rm(directory, { recursive: true, force: true });
}
