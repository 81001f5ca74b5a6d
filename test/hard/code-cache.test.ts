import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, it } from 'vitest';
import { emptyEnvironment, temporaryDirectory } from '../support/run-cli.js';
import { printedSeed, randomNumbers, rounds } from './support/budget.js';

const orgctl = join(import.meta.dirname, '..', '..', 'bin', 'orgctl.js');
const commands = [
  ['--help'],
  ['sign', 'GET', '/quotas', '--timestamp', '1700000000'],
  ['connections', 'create', '--file', '-', '--dry-run'],
];
const input = '[{"name":"a","type":"x","config":{"user":"u"}}]';

beforeAll(() => {
  if (!existsSync(join(orgctl, '..', '..', 'dist', 'cli', 'main.cjs'))) {
    throw new Error('dist/ is missing: npm run build');
  }
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built tool in a process of its own, which keeps its compiled code under this home. */
async function built(args: readonly string[], home: string): Promise<Ended> {
  const secret = { ORGCTL_KEY_ID: 'key_4711', ORGCTL_SECRET: 'x'.repeat(64) };
  const env = { ...emptyEnvironment(), ...secret, PATH: process.env['PATH'], HOME: home };
  const child = spawn(process.execPath, [orgctl, ...args], { env });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.stdin.on('error', () => undefined).end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await exited, stdout, stderr };
}

it('executes no compiled code in which a bit is another', async () => {
  const random = randomNumbers(printedSeed('code cache'));
  const home = temporaryDirectory();
  const right: Ended[] = [];
  // Twice: a second run adds what the first compiled late.
  for (const args of [...commands, ...commands]) right.push(await built(args, home));
  const directory = join(home, '.cache', 'orgctl');
  const path = join(directory, readdirSync(directory)[0] ?? 'nothing');
  const whole = readFileSync(path);
  for (let round = 0; round < rounds(500, 45); round++) {
    const at = Math.floor(random() * whole.length);
    const damaged = Buffer.from(whole);
    damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << Math.floor(random() * 8)), at);
    writeFileSync(path, damaged);
    const nth = round % commands.length;
    expect([at, await built(commands[nth] ?? [], home)]).toEqual([at, right[nth]]);
  }
});
