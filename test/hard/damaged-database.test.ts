import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from '../../src/api/schema/schema.js';
import { startServer } from '../../src/server/index.js';
import { Caller } from '../server/support/caller.js';
import { bundleScript } from '../server/support/server-process.js';
import { useServerProcesses } from '../server/support/use-server-processes.js';
import { temporaryDirectory } from '../support/run-cli.js';
import { printedSeed, randomNumbers, rounds } from './support/budget.js';
import { damage } from './support/damage.js';

const outcomeSchema = z.union([
  z.object({
    answers: z.record(z.string(), z.object({ status: z.number(), json: z.unknown() })),
    log: z.array(z.string()),
  }),
  z.object({ refused: z.string(), message: z.string() }),
]);
type Outcome = z.output<typeof outcomeSchema>;

const scripts = fileURLToPath(new URL('support/', import.meta.url));
const processes = useServerProcesses();
const root = temporaryDirectory();
let readScript: string;
beforeAll(async () => {
  mkdirSync(join(root, 'read'));
  readScript = await bundleScript(join(root, 'read'), join(scripts, 'read-data-script.ts'));
});

async function fill(caller: Caller, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const config = { host: `host-${at}.test`, padding: 'x'.repeat(at % 7 === 0 ? 6000 : at) };
    await caller.send('POST', '/connections', { body: { name: `größe ${at} 的`, type: 'x', config } });
    await caller.send('POST', '/teams', { body: { name: `team ${at} 🙂` } });
  }
  await caller.send('POST', '/api-keys', { body: { name: 'second' } });
}

/** Data that was closed, or that a killed server left with its log. */
async function usedData(end: 'closed' | 'killed'): Promise<string> {
  const data = join(root, end);
  mkdirSync(data);
  const options = { data, quotas: { connections: 200, teams: 200 } };
  if (end === 'closed') {
    const server = await startServer({ ...options, http: true });
    await fill(new Caller(server), 60);
    await server.close();
  } else {
    const process = await processes.open(options);
    // Beyond the pages at which the log is copied into the database.
    await fill(new Caller(process.server), 120);
    await process.end('SIGKILL');
  }
  return data;
}

/** What servers in a process of their own answer on each of these; a process that dies is a failure. */
function outcomes(directories: readonly string[]): Outcome[] {
  const text = execFileSync(process.execPath, [readScript, ...directories], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    // Against data that has no end.
    timeout: 300_000,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return text
    .trim()
    .split('\n')
    .map((line) => z.parse(outcomeSchema, JSON.parse(line)));
}

/** Without what changes by each start and each request. */
function comparable(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json, (name, value) => (name === 'last_used_at' ? undefined : value)));
}

function expectRight(outcome: Outcome, right: Outcome, file: string): void {
  if ('refused' in outcome) {
    expect(outcome).toEqual({ refused: 'ConfigError', message: expect.stringContaining(file) });
    return;
  }
  if (!('answers' in right)) throw new Error(`the data itself is refused: ${right.message}`);
  for (const [target, { status, json }] of Object.entries(outcome.answers)) {
    if (status === 503) expect(outcome.log.join('\n'), file).toMatch(/cannot be read or written/);
    else expect([status, comparable(json)], file).toEqual([200, comparable(right.answers[target]?.json)]);
  }
}

describe.each(['closed', 'killed'] as const)('data that was %s, and damaged since', (end) => {
  it('is refused by name, or answered as it was; no process dies of it', async () => {
    const random = randomNumbers(printedSeed(`damaged database, ${end}`));
    const data = await usedData(end);
    const names = ['master.key', 'orgctl.db', ...(end === 'killed' ? ['orgctl.db-wal'] : [])];
    const intact = join(root, `${end}-intact`);
    mkdirSync(intact);
    for (const name of names) copyFileSync(join(data, name), join(intact, name));
    const [right] = outcomes([intact]);
    if (right === undefined) throw new Error('the data itself cannot be read');
    const bytes = readFileSync(join(data, 'orgctl.db'));
    const tally = { refused: 0, answered: 0 };
    for (let left = rounds(500, 20); left > 0; left -= 20) {
      const copies = Array.from({ length: Math.min(20, left) }, (_, at) => {
        const directory = join(root, `${end}-${left}-${at}`);
        mkdirSync(directory);
        for (const name of names) copyFileSync(join(data, name), join(directory, name));
        writeFileSync(join(directory, 'orgctl.db'), damage(bytes, random));
        return directory;
      });
      const found = outcomes(copies);
      for (const [at, directory] of copies.entries()) {
        const outcome = found[at];
        if (outcome === undefined) throw new Error(`no outcome: ${directory}`);
        tally['refused' in outcome ? 'refused' : 'answered'] += 1;
        expectRight(outcome, right, directory);
        rmSync(directory, { recursive: true });
      }
    }
    console.log(`damaged database, ${end}: ${tally.refused} refused, ${tally.answered} answered as before`);
    expect(tally.refused).toBeGreaterThan(0);
  });
});
