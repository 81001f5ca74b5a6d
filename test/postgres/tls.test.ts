import { chmodSync, chownSync, statSync } from 'node:fs';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/errors/errors.js';
import { issueConstrainedAuthority, issueServerCertificate } from '../../src/server/certificate/issue.js';
import { startServer } from '../../src/server/index.js';
import { masterKey } from '../server/support/start.js';
import { execute } from '../support/databases.js';
import { findPostgres, PostgresCluster } from '../support/postgres-cluster.js';

const programs = findPostgres();
let directory: string;
let plain: PostgresCluster;
/** Takes connections with TLS alone; its certificate is for `localhost`, not for the address it is reached at. */
let secure: PostgresCluster;
const ca = () => join(directory, 'ca.pem');
const otherCa = () => join(directory, 'other-ca.pem');

beforeAll(async () => {
  if (programs === undefined) return;
  directory = await mkdtemp(join(tmpdir(), 'orgctl-test-'));
  const [authority, other] = [
    await issueConstrainedAuthority(new Date(), []),
    await issueConstrainedAuthority(new Date(), []),
  ];
  await writeFile(ca(), authority.cert);
  await writeFile(otherCa(), other.cert);
  plain = await PostgresCluster.start(programs);
  secure = await PostgresCluster.start(programs);
  const { cert, key } = await issueServerCertificate(authority, ['localhost'], new Date());
  const { uid, gid } = statSync(secure.data);
  for (const [name, text] of [
    ['server.crt', cert],
    ['server.key', key],
  ] as const) {
    const path = join(secure.data, name);
    await writeFile(path, text, { mode: 0o600 });
    chownSync(path, uid, gid);
    chmodSync(path, 0o600);
  }
  await secure.halt('fast');
  await appendFile(join(secure.data, 'postgresql.conf'), 'ssl = on\n');
  await writeFile(join(secure.data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256\n');
  await secure.resume();
});
afterAll(async () => {
  await Promise.all([plain?.stop(), secure?.stop()]);
  if (directory) await rm(directory, { recursive: true });
});

/** Whether a server starts on the database, and with TLS or without; why it does not. */
async function connection(cluster: PostgresCluster, host: string, query: string): Promise<string> {
  const url = new URL(cluster.url('postgres', query));
  url.hostname = host;
  try {
    const server = await startServer({ http: true, masterKey, database: url.href });
    const probe = new URL(cluster.url('postgres', cluster === secure ? '?sslmode=no-verify' : ''));
    const question =
      "select 1 / count(*) from pg_stat_ssl join pg_stat_activity using (pid) where ssl and application_name = 'orgctl'";
    const encrypted = await execute(probe.href, question).then(
      () => 'TLS',
      () => 'plain',
    );
    await server.close();
    return encrypted;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message;
  }
}

describe.skipIf(programs === undefined)('sslmode', () => {
  it.each([
    ['', 'TLS'],
    ['?sslmode=prefer', 'TLS'],
    ['?sslmode=require', 'TLS'],
    ['?sslmode=verify-ca&sslrootcert=CA', 'TLS'],
    ['?sslmode=require&sslrootcert=CA', 'TLS'],
    ['?sslmode=verify-full&sslrootcert=CA', 'TLS'],
    ['?sslmode=disable', /no encryption/],
    ['?sslmode=verify-ca&sslrootcert=OTHER', /certificate|issuer/],
    ['?sslmode=verify-full&sslrootcert=system', /certificate|issuer/],
    ['?sslmode=verify-full', /needs a CA to trust/],
    ['?sslmode=verify-ca', /needs a CA to trust/],
    ['?sslmode=verify-full&sslrootcert=/none', /sslrootcert in .*: \/none: no such file/],
    ['?sslmode=require&sslcert=/none', /must have both sslcert and sslkey/],
    ['?sslmode=no-verify', /sslmode .* is unknown/],
  ])('"%s" to a database that wants TLS', async (query, expected) => {
    // Only at the end: the directory's random name may contain the same letters.
    const filled = query.replace(/OTHER$/, otherCa()).replace(/=CA$/, `=${ca()}`);
    expect(await connection(secure, 'localhost', filled)).toMatch(expected);
  });

  it('verify-full checks the name, and verify-ca does not', async () => {
    expect(await connection(secure, '127.0.0.1', `?sslmode=verify-full&sslrootcert=${ca()}`)).toMatch(
      /127\.0\.0\.1/,
    );
    expect(await connection(secure, '127.0.0.1', `?sslmode=verify-ca&sslrootcert=${ca()}`)).toBe('TLS');
  });

  it.each([
    ['', 'plain'],
    ['?sslmode=allow', 'plain'],
    ['?sslmode=disable', 'plain'],
    ['?sslmode=require', /does not support SSL/],
    ['?sslmode=verify-ca&sslrootcert=CA', /does not support SSL/],
  ])('"%s" to a database without TLS', async (query, expected) => {
    expect(await connection(plain, 'localhost', query.replace(/=CA$/, `=${ca()}`))).toMatch(expected);
  });
});
