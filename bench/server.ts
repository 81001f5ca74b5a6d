/** `serve` under load, against a bare server with the same signatures and synced writes; PostgreSQL against pgbench. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPostgres, PostgresCluster } from '../test/support/postgres-cluster.js';
import { createConnection, load, readQuotas } from './load.js';
import { compare } from './measure.js';
import { start, startService } from './processes.js';

/** A creation within a quota; zeros stand for the encrypted `config`. */
const statement = `
with allowed as (update quotas set used = used + 1
  where organization_id = (select id from organizations) and kind = 'connections' and used < quota_limit
  returning organization_id, '2026-01-01T00:00:00.000Z' as time)
insert into connections (id, organization_id, name, created_at, type, config, updated_at)
select md5(random()::text), organization_id, 'main', time, 'postgresql', decode(repeat('00', 120), 'hex'), time
from allowed;`;

/** Executions of the prepared statement, over as many connections as `serve` opens. */
async function pgbench(directory: string, url: string) {
  const { hostname: PGHOST, port: PGPORT, username: PGUSER, password } = new URL(url);
  const env = { PGHOST, PGPORT, PGUSER, PGPASSWORD: decodeURIComponent(password), PGDATABASE: 'postgres' };
  const args = ['-n', '-M', 'prepared', '-c', '10', '-T', '3', '-f', '-'];
  const work = promisify(execFile)(join(directory, 'pgbench'), args, { env });
  work.child.stdin?.end(statement);
  return { '/s': Number(/tps = ([\d.]+)/.exec((await work).stdout)?.[1]) };
}

const programs = findPostgres();
await using service = await startService();
await using least = await start(['bench/bare/server.js'], service.env);
for (const request of [readQuotas, createConnection]) {
  const own = () => load(service, request);
  const baseline = request === readQuotas ? 'node:https, HMAC' : 'node:https, HMAC, synced lines';
  // Lets V8 compile the code first: `serve` has more of it than its baseline.
  await own();
  const base = () => load({ ...service, url: least.line, pid: least.pid }, request);
  await compare(5, `${request.method} ${request.target}`, own, baseline, base);
}
if (programs === undefined) throw new Error('PostgreSQL is not installed, so it is not measured');
const cluster = await PostgresCluster.start(programs, ['fsync=on']);
try {
  const master = { ORGCTL_SERVE_MASTER_KEY: '5'.repeat(64) };
  await using server = await startService({ ORGCTL_SERVE_DATABASE: cluster.url(), ...master });
  const own = () => load(server, createConnection);
  const base = () => pgbench(programs, cluster.url());
  await compare(5, 'POST /connections, PostgreSQL', own, 'pgbench, one statement', base);
} finally {
  await cluster.stop();
}
