import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useBuiltTool } from '../support/built-tool.js';
import { runBuiltTool } from '../support/run-built-tool.js';
import { type Ended, emptyEnvironment, temporaryDirectory } from '../support/run-cli.js';
import { printedSeed, randomNumbers, rounds } from './support/budget.js';

const commands = [
  ['--help'],
  ['sign', 'GET', '/quotas', '--timestamp', '1700000000'],
  ['connections', 'create', '--file', '-', '--dry-run'],
];
const input = '[{"name":"a","type":"x","config":{"user":"u"}}]';

useBuiltTool();

/** Runs the built tool in a process of its own, which keeps its compiled code under this home. */
function built(args: readonly string[], home: string): Promise<Ended> {
  const secret = { ORGCTL_KEY_ID: 'key_4711', ORGCTL_SECRET: 'x'.repeat(64) };
  return runBuiltTool(args, { input, env: { ...emptyEnvironment(), ...secret, HOME: home } });
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
