import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, inject, it } from 'vitest';
import { ConfigError } from '../../src/errors/errors.js';
import { areCheckpointsHeld } from '../../src/storage/sqlite/checkpoint-hold.js';
import { copyDatabase } from '../../src/storage/sqlite/copy-database.js';
import { useStores } from './support/open-store.js';

const stores = useStores();

/**
 * Moves amounts between 4,000 rows of as many pages, so that their sum stays the same from commit to commit, and begins
 * the log anew all the time; with a pause now and then. It ends when it is killed, or with the test's own process.
 */
const writer = `
  const Database = require('libsql');
  const database = new Database(process.argv[1]);
  database.pragma('locking_mode = EXCLUSIVE');
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = OFF');
  database.pragma('wal_autocheckpoint = 10');
  database.exec('create table rows (id integer primary key, amount integer, padding blob)');
  const rows = 4000;
  const insert = database.prepare('insert into rows values (?, 1000, zeroblob(3000))');
  database.exec('begin');
  for (let id = 0; id < rows; id += 1) insert.run(id);
  database.exec('commit');
  const move = database.prepare('update rows set amount = amount + case id when ? then 1 else -1 end where id in (?, ?)');
  process.stdout.write('begun');
  for (const parent = process.ppid; process.ppid === parent; ) {
    for (const busy = Date.now() + 100; Date.now() < busy; ) {
      const from = Math.floor(Math.random() * rows);
      const to = (from + 1 + Math.floor(Math.random() * (rows - 1))) % rows;
      move.run(to, from, to);
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
`;

describe.runIf(inject('engine') === 'embedded')('a copy of a database that is written to', () => {
  it('has the journal of a change that was interrupted', async () => {
    const [source, target] = [await stores.place(), await stores.place()];
    await writeFile(source, 'pages');
    await writeFile(`${source}-journal`, 'what they were');
    await copyDatabase(source, target);
    expect(await readFile(`${target}-journal`, 'utf8')).toBe('what they were');
  });

  it.each([
    [0, true],
    [20, true],
    [31, false],
    [-60, false],
  ])('merges no log for half a minute after it was asked not to: %i s ago', async (age, isHeld) => {
    const database = await stores.place();
    expect(areCheckpointsHeld(database)).toBe(false);
    await writeFile(`${database}-copying`, '');
    const asked = Date.now() / 1000 - age;
    await utimes(`${database}-copying`, asked, asked);
    expect(areCheckpointsHeld(database)).toBe(isHeld);
  });

  it('is of one moment, or is refused', async () => {
    const source = await stores.place();
    const child = spawn(process.execPath, ['-e', writer, source], {
      cwd: join(import.meta.dirname, '..', '..'),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    try {
      // Without data the child has failed, and its output just ends.
      const [begun] = await Promise.race([once(child.stdout, 'data'), closed]);
      expect(String(begun)).toBe('begun');
      const outcomes: unknown[] = [];
      for (let turn = 0; turn < 4; turn += 1) {
        const target = await stores.place();
        const error: unknown = await copyDatabase(source, target).catch((refusal: unknown) => refusal);
        if (error !== undefined) {
          expect(error).toBeInstanceOf(ConfigError);
          continue;
        }
        const copy = new Database(target);
        const sums = copy.prepare('select count(*) as rows, sum(amount) as amount from rows').all();
        outcomes.push([sums, copy.pragma('integrity_check')]);
        copy.close();
      }
      const whole = [[{ rows: 4000, amount: 4_000_000 }], [{ integrity_check: 'ok' }]];
      expect(outcomes.length).toBeGreaterThan(0);
      expect(outcomes).toEqual(outcomes.map(() => whole));
    } finally {
      child.kill('SIGKILL');
      await closed;
    }
  });
});
