import { existsSync, readdirSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { changeMasterKey } from '../../src/server/data/rotate-master-key.js';
import { startServer } from '../../src/server/index.js';
import { backUpData, restoreData } from '../../src/server/maintenance/backup-data.js';
import { checkData } from '../../src/server/maintenance/check-data.js';
import { Caller } from '../support/caller.js';
import { temporaryDirectory } from '../support/run-cli.js';
import { bundleScript } from '../support/server-process.js';
import { useServerProcesses } from '../support/use-server-processes.js';
import { printedSeed, randomNumbers, rounds } from './support/budget.js';
import { found, Ledger, writeUntil } from './support/ledger.js';
import { runKilled } from './support/run-killed.js';

const script = fileURLToPath(new URL('support/maintenance-script.ts', import.meta.url));
const processes = useServerProcesses();
let maintenance: string;
beforeAll(async () => {
  maintenance = await bundleScript(temporaryDirectory(), script);
});

/** Runs a command to its end, or kills it so many milliseconds after it has begun; for how long it ran. */
async function run(verb: 'backup' | 'restore', data: string, file: string, after?: number): Promise<number> {
  const command = [process.execPath, maintenance, verb, data, file] as const;
  return (await runKilled(command, { after, fromOutput: true })).took;
}

it('a backup that is killed leaves no file or a complete one, and does not disturb the server', async () => {
  const random = randomNumbers(printedSeed('killed backups'));
  const data = temporaryDirectory();
  const server = await processes.open({ data, quotas: { connections: 1e6, teams: 1e6 } });
  const ledger = new Ledger();
  const caller = new Caller(server.server);
  let isOver = false;
  const writing = writeUntil(() => isOver, [caller, caller], ledger);
  let took = await run('backup', data, join(temporaryDirectory(), 'b.db'));
  const tally = { whole: 0, none: 0 };
  for (let round = 0; round < rounds(40, 3); round += 1) {
    const file = join(temporaryDirectory(), 'b.db');
    // The first is killed as it begins, so that at least one leaves no file.
    await run('backup', data, file, round === 0 ? 0 : random() * took * 1.2);
    if (!existsSync(file)) {
      tally.none += 1;
      // Nothing is in the way of the next one.
      if (round % 5 === 0) took = await run('backup', data, file);
    } else tally.whole += 1;
    if (!existsSync(file)) continue;
    const other = temporaryDirectory();
    await copyFile(join(data, 'master.key'), join(other, 'master.key'));
    const restored = await restoreData({ data: other, file });
    expect(await checkData({ data: other })).toMatchObject({ teams: restored['teams'] });
  }
  isOver = true;
  await writing;
  ledger.check(await found(caller));
  await server.end('SIGTERM');
  console.log(
    `killed backups: ${tally.none} left no file, ${tally.whole} a whole one; ${ledger.answers} writes`,
  );
  expect(tally.none).toBeGreaterThan(0);
});

it('a restore that is killed leaves either the earlier data or that of the backup, complete', async () => {
  const random = randomNumbers(printedSeed('killed restores'));
  const data = temporaryDirectory();
  const create = async (count: number) => {
    const server = await processes.open({ data, quotas: { teams: 1e6 } });
    const caller = new Caller(server.server);
    for (let at = 0; at < count; at += 1)
      await caller.send('POST', '/teams', { body: { name: `team ${at}` } });
    return server;
  };
  await (await create(30)).end('SIGTERM');
  const file = join(temporaryDirectory(), 'b.db');
  expect(await backUpData({ data, file })).toMatchObject({ teams: 30 });
  // From here on each restore finds a key that was replaced, and encrypts the data with the current one.
  await changeMasterKey({ data });
  const tally = { before: 0, restored: 0 };
  let took = await run('restore', data, file);
  for (let round = 0; round < rounds(25, 3); round += 1) {
    // Every other time in the place of what a killed server has left, with its log.
    await (await create(1)).end(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
    await run('restore', data, file, random() * took * 1.2);
    const { teams } = await checkData({ data });
    tally[teams === 30 ? 'restored' : 'before'] += 1;
    expect([30, 31]).toContain(teams);
    const server = await startServer({ data, http: true });
    expect((await found(new Caller(server))).names.size).toBe(teams);
    await server.close();
    took = await run('restore', data, file);
    for (const name of readdirSync(data)) {
      if (name.includes('.before-') || name.startsWith('.orgctl-'))
        rmSync(join(data, name), { recursive: true });
    }
    expect(await checkData({ data })).toMatchObject({ teams: 30 });
  }
  console.log(`killed restores: ${tally.before} left what was there, ${tally.restored} the backup`);
});
