import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { quantile } from './figures.js';
import type { UnderLoad } from './under-load.js';

/** The SQL statements of `GET /quotas`. */
export function readingStatements(organization: string): string {
  return `select kind, quota_limit, used from quotas where organization_id = '${organization}' order by kind;`;
}

/** The SQL statements of one creation in a transaction of its own; zeros stand for the encrypted `config`. */
export function creatingStatements(organization: string): string {
  const time = "'2026-01-01T00:00:00.000Z'";
  return [
    'begin;',
    'select pg_advisory_xact_lock_shared(1);',
    `insert into connections (id, organization_id, name, created_at, type, config, updated_at) values (md5(random()::text), '${organization}', 'main', ${time}, 'postgresql', decode(repeat('00', 120), 'hex'), ${time});`,
    `update quotas set used = used + 1 where organization_id = '${organization}' and kind = 'connections' and used < quota_limit;`,
    'commit;',
    readingStatements(organization),
  ].join('\n');
}

export interface PgbenchOptions {
  /** Directory of PostgreSQL's programs. */
  readonly programs: string;
  readonly url: string;
  /** Temporary directory of the benchmark. */
  readonly directory: string;
  readonly statements: string;
  readonly clients: number;
  readonly seconds: number;
}

/** Runs the statements with pgbench, prepared once for each connection. */
export async function pgbench(options: PgbenchOptions): Promise<UnderLoad> {
  const { programs, directory, statements, clients, seconds } = options;
  const { hostname, port, username, password, pathname } = new URL(options.url);
  const file = join(directory, 'script.sql');
  await writeFile(file, statements);
  const place = ['-h', hostname, '-p', port, '-U', username, pathname.slice(1)];
  const load = ['-c', String(clients), '-j', '1', '-T', String(Math.ceil(seconds)), '-f', file];
  const logging = ['--log', `--log-prefix=${join(directory, logPrefix)}`];
  const { stdout } = await promisify(execFile)(
    join(programs, 'pgbench'),
    ['-n', '-M', 'prepared', ...load, ...logging, ...place],
    { env: { PGPASSWORD: decodeURIComponent(password) }, cwd: directory },
  );
  const rate = Number(/tps = ([\d.]+) \(without/.exec(stdout)?.[1]);
  const latencies = await takeLatencies(directory);
  const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
  return { requests: latencies.length, rate, p50, p99 };
}

const logPrefix = 'pgbench_log';

/** Milliseconds of each transaction; removes the log. */
async function takeLatencies(directory: string): Promise<number[]> {
  const name = (await readdir(directory)).find((one) => one.startsWith(`${logPrefix}.`)) ?? '';
  const text = await readFile(join(directory, name), 'utf8');
  await rm(join(directory, name));
  return text
    .trim()
    .split('\n')
    .map((line) => Number(line.split(' ')[2]) / 1000);
}
