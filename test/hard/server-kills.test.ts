import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerOptions } from '../../src/server/index.js';
import { Caller } from '../support/caller.js';
import { execute } from '../support/databases.js';
import { findPostgres, PostgresCluster } from '../support/postgres-cluster.js';
import { temporaryDirectory } from '../support/run-cli.js';
import type { ServerProcess } from '../support/server-process.js';
import { masterKey } from '../support/servers.js';
import { useServerProcesses } from '../support/use-server-processes.js';
import { printedSeed, randomNumbers, rounds } from './support/budget.js';
import { found, Ledger, writeUntil } from './support/ledger.js';

const processes = useServerProcesses();

function open(options: ServerOptions): Promise<ServerProcess> {
  return processes.open({ quotas: { connections: 1_000_000, teams: 1_000_000 }, ...options });
}

/** Kills the process, or does what else `strike` is, once so many more requests were answered. */
async function strikeWithin(
  ledger: Ledger,
  answers: number,
  callers: readonly Caller[],
  strike: () => Promise<unknown>,
): Promise<void> {
  const goal = ledger.answers + answers;
  let striking: Promise<unknown> | undefined;
  let isOver = false;
  const look = () => {
    if (ledger.answers < goal) return false;
    striking ??= strike().finally(() => {
      isOver = true;
    });
    return isOver;
  };
  await writeUntil(look, callers, ledger);
  await striking;
}

it('kill -9 of a server on the embedded database loses no confirmed change', async () => {
  const random = randomNumbers(printedSeed('kills, embedded database'));
  const data = temporaryDirectory();
  const ledger = new Ledger();
  for (let kill = 0; kill < rounds(20, 3); kill += 1) {
    const process = await open({ data });
    const caller = new Caller(process.server);
    ledger.check(await found(caller));
    await strikeWithin(ledger, Math.floor(random() * 300), [caller], () => process.end('SIGKILL'));
  }
  ledger.check(await found(new Caller((await open({ data })).server)));
});

const programs = findPostgres();

describe.skipIf(programs === undefined)('servers on PostgreSQL', () => {
  let cluster: PostgresCluster;
  let database: string;
  let names = 0;
  beforeAll(async () => {
    if (programs !== undefined) cluster = await PostgresCluster.start(programs);
  });
  afterAll(() => cluster?.stop());

  async function fleet(size: number): Promise<ServerProcess[]> {
    names += 1;
    database = `kills_${names}`;
    await execute(cluster.url(), `create database ${database}`);
    return Promise.all(Array.from({ length: size }, () => openOne()));
  }

  function openOne(): Promise<ServerProcess> {
    return open({ database: cluster.url(database), masterKey });
  }

  it('lose no confirmed change to kill -9 of one of them, and the others go on', async () => {
    const random = randomNumbers(printedSeed('kills, PostgreSQL'));
    const ledger = new Ledger();
    const servers = await fleet(2);
    for (let kill = 0; kill < rounds(12, 1); kill += 1) {
      const callers = servers.map(({ server }) => new Caller(server, { atFault: true }));
      const at = Math.floor(random() * servers.length);
      const victim = servers[at];
      await strikeWithin(ledger, Math.floor(random() * 100), callers, async () => victim?.end('SIGKILL'));
      servers[at] = await openOne();
      const [one, other] = await Promise.all(servers.map(({ server }) => found(new Caller(server))));
      expect(other).toEqual(one);
      if (one) ledger.check(one);
    }
  });

  it('lose no confirmed change if the database crashes, and did nothing if they answered 503 with Retry-After', async () => {
    const random = randomNumbers(printedSeed('crashes of PostgreSQL'));
    const ledger = new Ledger();
    const callers = (await fleet(2)).map(({ server }) => new Caller(server, { atFault: true }));
    for (let crash = 0; crash < rounds(6, 1); crash += 1) {
      await strikeWithin(ledger, Math.floor(random() * 100), callers, async () => {
        await cluster.halt('immediate');
        await cluster.resume();
      });
      const [caller] = callers;
      if (caller) ledger.check(await found(caller));
    }
  });
});
