import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from '../../src/api/schema/schema.js';
import { orgctl } from '../support/built-tool.js';
import { emptyEnvironment } from '../support/run-cli.js';
import { printedSeed, randomNumbers, rounds } from './support/budget.js';
import { runKilled } from './support/run-killed.js';

const profile = (keyId: string) => ({ baseUrl: 'https://127.0.0.1:1', keyId, secret: 's'.repeat(64) });
const before = {
  version: 1,
  current: 'keep',
  profiles: { keep: profile('key_k'), from: profile('key_f'), gone: profile('key_g') },
};
const fileSchema = z.object({
  current: z.string(),
  profiles: z.record(z.string(), z.object({ keyId: z.string() })),
});
type ProfileFile = z.infer<typeof fileSchema>;

/** A change, and whether a file shows it as not done (0), done (1), or as half of it. */
interface Change {
  readonly args: readonly string[];
  readonly done: (file: ProfileFile) => 0 | 1 | 'half';
}

const all = (...facts: boolean[]) => {
  if (facts.every(Boolean)) return 1;
  return facts.some(Boolean) ? 'half' : 0;
};
const changes: readonly Change[] = [
  {
    args: [
      ...['add', 'new', '--base-url', 'https://127.0.0.1:1', '--key-id', 'key_n'],
      ...['--secret-env', 'S', '--no-verify'],
    ],
    done: ({ profiles }) => all(profiles['new']?.keyId === 'key_n'),
  },
  {
    args: ['rename', 'from', 'to'],
    done: ({ profiles }) => all(profiles['from'] === undefined, profiles['to']?.keyId === 'key_f'),
  },
  { args: ['remove', 'gone', '--yes'], done: ({ profiles }) => all(profiles['gone'] === undefined) },
  { args: ['use', 'from'], done: ({ current }) => all(current === 'from' || current === 'to') },
];

it('profiles that two change at once, each killed at some moment, are as before or after each change', async () => {
  const random = randomNumbers(printedSeed('profile kills'));
  const directories = emptyEnvironment();
  const directory = String(directories['ORGCTL_CONFIG_DIR']);
  const env = { ...directories, HOME: join(directory, '..'), S: 's'.repeat(64) };
  const run = (args: readonly string[] = [], after?: number) =>
    runKilled([...orgctl, 'profile', ...args], { env, after });
  const path = join(directory, 'profiles.json');
  mkdirSync(directory, { mode: 0o700 });
  writeFileSync(path, JSON.stringify(before), { mode: 0o600 });
  // From the start to somewhat beyond the end of one that nobody disturbs.
  const longest = 1.5 * (await run(['use', 'keep'])).took;
  let killings = 0;
  let done = 0;
  for (let round = 0; round < rounds(150, 10); round++) {
    writeFileSync(path, JSON.stringify(before), { mode: 0o600 });
    const first = Math.floor(random() * changes.length);
    const pair = [changes[first], changes[(first + 1 + Math.floor(random() * 3)) % changes.length]];
    const ends = await Promise.all(pair.map((change) => run(change?.args, random() * longest)));
    const file = fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    for (const [nth, change] of pair.entries()) {
      const state = change?.done(file);
      const code = ends[nth]?.code;
      killings += code === null ? 1 : 0;
      done += state === 1 ? 1 : 0;
      if (code === 0) expect([round, change?.args, state]).toEqual([round, change?.args, 1]);
      expect([round, change?.args, state]).not.toEqual([round, change?.args, 'half']);
    }
    expect(file.profiles['keep']?.keyId).toBe('key_k');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    // As ten seconds after the killing.
    if (existsSync(`${path}.lock`)) utimesSync(`${path}.lock`, 1, 1);
    expect(await run(['use', 'keep'])).toMatchObject({ code: 0 });
    expect(readdirSync(directory).filter((name) => name !== 'profiles.json')).toEqual([]);
  }
  console.log(`profile kills: ${killings} killed, ${done} changes done`);
});
