/**
 * What servers on one PostgreSQL do together at 1, 2 and 4 processes, against one server on the embedded database, and
 * against what pgbench gets out of the same PostgreSQL with the same statements. All of it shares the machine's cores,
 * the load generators too.
 *
 *   npm run bench:postgres -- [--rounds N] [--seconds N] [--json]
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { z } from '../src/contract/schema.js';
import { findPostgres, PostgresCluster } from '../test/support/postgres-cluster.js';
import { type Environment, outputOf, type RunningChild, startChild } from './child.js';
import { median } from './comparison.js';

const orgctl = fileURLToPath(new URL('../bin/orgctl.js', import.meta.url));
const load = fileURLToPath(new URL('load.ts', import.meta.url));

const readySchema = z.object({
  url: z.string(),
  caFile: z.string(),
  keyId: z.string(),
  secret: z.string(),
  organization: z.string(),
});
type Ready = z.output<typeof readySchema>;
const resultSchema = z.object({ rate: z.number(), p99: z.number() });
type Result = z.output<typeof resultSchema>;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
  },
});
const rounds = z.parse(z.int().check(z.minimum(1)), Number(values.rounds));
const seconds = z.parse(z.number().check(z.positive()), Number(values.seconds));

/** Requests at once, over all servers. */
const connections = 32;

const config = { host: 'db.test', port: 5432, database: 'd', user: 'u', password: 'p', ssl: true };
const requests = {
  'GET /quotas': { method: 'GET', target: '/quotas', expected: 200 },
  'POST /connections': {
    method: 'POST',
    target: '/connections',
    body: JSON.stringify({ name: 'main', type: 'postgresql', config }),
    expected: 201,
  },
} as const;
type RequestName = keyof typeof requests;
const requestNames: readonly RequestName[] = ['GET /quotas', 'POST /connections'];

/** The statements of a request, as the server sends them; what is sealed is as long as there. */
function statements(organization: string): Record<RequestName, string> {
  return {
    'GET /quotas': `select kind, quota_limit, used from quotas where organization_id = '${organization}' order by kind;`,
    'POST /connections': [
      'begin;',
      'select pg_advisory_xact_lock_shared(1);',
      `update quotas set used = used + 1 where organization_id = '${organization}' and kind = 'connections' and used < quota_limit;`,
      `insert into connections (id, organization_id, name, created_at, type, config, updated_at) values (md5(random()::text), '${organization}', 'main', '2026-01-01T00:00:00.000Z', 'postgresql', decode(repeat('00', 120), 'hex'), '2026-01-01T00:00:00.000Z');`,
      'commit;',
      `select kind, quota_limit, used from quotas where organization_id = '${organization}' order by kind;`,
    ].join('\n'),
  };
}

const programs = findPostgres();
if (programs === undefined) throw new Error('PostgreSQL is not here: install its server');
const directory = await mkdtemp(join(tmpdir(), 'orgctl-bench-'));
const cluster = await PostgresCluster.start(programs, ['fsync=on', 'max_connections=200']);

interface Fleet {
  readonly name: string;
  readonly servers: readonly RunningChild[];
  readonly ready: readonly Ready[];
}

async function startFleet(name: string, size: number, database?: string): Promise<Fleet> {
  const shared: Environment = database === undefined ? {} : { ORGCTL_SERVE_DATABASE: database };
  const env = {
    HOME: directory,
    ORGCTL_CONFIG_DIR: join(directory, 'config'),
    ORGCTL_SERVE_MASTER_KEY: '5'.repeat(64),
    ...shared,
  };
  const flags = ['--quota', 'connections=100000000', '--port', '0', '--no-profile', '-o', 'json'];
  const servers: RunningChild[] = [];
  for (let at = 0; at < size; at += 1) {
    const data = join(directory, `${name}-${at}`.replaceAll(' ', '-'));
    servers.push(await startChild([orgctl, 'serve', '--data', data, ...flags], env));
  }
  return { name, servers, ready: servers.map(({ line }) => z.parse(readySchema, JSON.parse(line))) };
}

/** The load on all servers of a fleet at once: requests a second of all, and the worst 99th percentile. */
async function apply({ ready }: Fleet, request: RequestName): Promise<Result> {
  const results = await Promise.all(
    ready.map(async (server) => {
      const share = { connections: connections / ready.length, seconds };
      const plan = JSON.stringify({ ...server, ...requests[request], ...share });
      return z.parse(
        resultSchema,
        JSON.parse(await outputOf(['--import', 'tsx', load, plan], { HOME: directory })),
      );
    }),
  );
  return {
    rate: results.reduce((sum, { rate }) => sum + rate, 0),
    p99: Math.max(...results.map(({ p99 }) => p99)),
  };
}

/** What pgbench does with the statements of a request, over as many connections as one server has, and over all. */
async function pgbench(binaries: string, url: string, script: string, clients: number): Promise<Result> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const file = join(directory, 'script.sql');
  const log = join(directory, 'pgbench_log');
  await writeFile(file, script);
  const { stdout } = await promisify(execFile)(
    join(binaries, 'pgbench'),
    [
      '-n',
      '-M',
      'extended',
      '-c',
      String(clients),
      '-j',
      '1',
      '-T',
      String(Math.ceil(seconds)),
      '-f',
      file,
    ].concat(['-h', hostname, '-p', port, '-U', username, '--log', `--log-prefix=${log}`, pathname.slice(1)]),
    { env: { PGPASSWORD: decodeURIComponent(password) }, cwd: directory },
  );
  const rate = Number(/tps = ([\d.]+) \(without/.exec(stdout)?.[1]);
  return { rate, p99: await ninetyNinth(log) };
}

/** Of the latencies in a log of pgbench, in milliseconds; the log is removed. */
async function ninetyNinth(prefix: string): Promise<number> {
  const { readdir, readFile } = await import('node:fs/promises');
  const name = (await readdir(directory)).find((one) => join(directory, one).startsWith(`${prefix}.`)) ?? '';
  const text = await readFile(join(directory, name), 'utf8');
  await rm(join(directory, name));
  const latencies = text
    .trim()
    .split('\n')
    .map((line) => Number(line.split(' ')[2]) / 1000);
  latencies.sort((left, right) => left - right);
  return latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN;
}

type Rows = Map<string, Record<RequestName, Result[]>>;

function note(rows: Rows, name: string, request: RequestName, result: Result): void {
  const row = rows.get(name) ?? { 'GET /quotas': [], 'POST /connections': [] };
  row[request].push(result);
  rows.set(name, row);
}

async function measure(binaries: string): Promise<Rows> {
  const url = cluster.url();
  const fleets = [await startFleet('embedded', 1)];
  for (const size of [1, 2, 4])
    fleets.push(await startFleet(`PostgreSQL, ${size} ${size === 1 ? 'server' : 'servers'}`, size, url));
  const organization = fleets[1]?.ready[0]?.organization ?? '';
  const rows: Rows = new Map();
  try {
    for (const fleet of fleets) for (const request of requestNames) await apply(fleet, request);
    for (let round = 0; round < rounds; round += 1) {
      for (const request of requestNames) {
        for (const fleet of fleets) note(rows, fleet.name, request, await apply(fleet, request));
        for (const clients of [10, 32]) {
          const result = await pgbench(binaries, url, statements(organization)[request], clients);
          note(rows, `pgbench, ${clients} clients`, request, result);
        }
      }
    }
    return rows;
  } finally {
    await Promise.all(fleets.flatMap(({ servers }) => servers.map((server) => server.stop())));
  }
}

function medians(results: readonly Result[]): Result {
  return { rate: median(results.map(({ rate }) => rate)), p99: median(results.map(({ p99 }) => p99)) };
}

function toText(rows: Rows): string {
  const lines = [...rows].map(([name, byRequest]) => {
    const figures = requestNames.map((request) => {
      const { rate, p99 } = medians(byRequest[request]);
      return `${rate.toFixed(0).padStart(6)}/s, p99 ${p99.toFixed(1).padStart(6)} ms`;
    });
    return `${name.padEnd(28)}${figures.join('   ')}`;
  });
  return [`${''.padEnd(28)}${requestNames.map((name) => name.padEnd(26)).join('')}`, ...lines].join('\n');
}

try {
  const rows = await measure(programs);
  const machine = `Node.js ${process.version}, ${cpus().length} cores, ${rounds} rounds of ${seconds} s`;
  if (values.json) {
    const figures = [...rows].map(([name, row]) => [
      name,
      Object.fromEntries(requestNames.map((request) => [request, medians(row[request])])),
    ]);
    console.log(JSON.stringify({ machine, ...Object.fromEntries(figures) }, null, 2));
  } else console.log(`${machine}\n${toText(rows)}`);
} finally {
  await cluster.stop();
  await rm(directory, { recursive: true, force: true });
}
