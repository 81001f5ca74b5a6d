import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/index.js';
import { at, Caller } from '../support/caller.js';
import { temporaryDirectory } from '../support/run-cli.js';
import { bundleScript, rotateScript } from '../support/server-process.js';
import { printedSeed, randomNumbers, rounds } from './support/budget.js';
import { runKilled } from './support/run-killed.js';

let script: string;
let data: string;
let before: RunningServer;
beforeAll(async () => {
  script = await bundleScript(temporaryDirectory(), rotateScript);
  data = temporaryDirectory();
  const connections = Array.from({ length: 50 }, (_, index) => ({
    name: `c${index}`,
    type: 'x',
    config: { port: index },
  }));
  const seed = { organizations: [{ name: 'a', quotas: { connections: 50 }, connections }] };
  before = await startServer({ data, http: true, seed });
  await before.close();
});

/** Keys for some of the changes; the others generate one. */
function someKey(random: () => number): string | undefined {
  return random() < 0.5
    ? undefined
    : Array.from({ length: 64 }, () => Math.floor(random() * 16).toString(16)).join('');
}

/** Runs one change, killed so many milliseconds after it began. */
function change(newMasterKey?: string, after?: number) {
  const options = JSON.stringify({ data, newMasterKey });
  return runKilled([process.execPath, script, options], { after, fromOutput: true });
}

/** The keys of the data, newest first. */
function keyRing(): string[] {
  return readFileSync(join(data, 'master.key'), 'utf8').trim().split('\n');
}

/** A plain start opens everything, and leaves no change half done. */
async function expectNothingLost(): Promise<void> {
  const server = await startServer({ data, http: true });
  try {
    expect(server).toMatchObject({ keyId: before.keyId, secret: before.secret });
    const caller = new Caller(server);
    const { json } = await caller.send('GET', '/connections?limit=100');
    expect(at(json, 'total')).toBe(50);
    expect(at(json, 'data.49.config')).toEqual({ port: 49 });
    expect(await readdir(data)).not.toContain('master.key.new');
  } finally {
    await server.close();
  }
}

it('two changes of the master key that are killed at any moment, and then a plain start, lose nothing', async () => {
  const random = randomNumbers(printedSeed('killed changes of the master key'));
  const { took: longest } = await change();
  const keys: string[] = [];
  for (let round = 0; round < rounds(100, 5); round += 1) {
    keys.push(...keyRing().slice(0, 1));
    await change(someKey(random), random() * longest);
    await change(someKey(random), random() * longest);
    await expectNothingLost();
  }
  // Every key that the data ever had opens the backups of its time.
  const ring = keyRing();
  expect(keys.filter((key) => !ring.includes(key))).toEqual([]);
});
