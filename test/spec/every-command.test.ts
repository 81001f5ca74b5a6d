import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../support/run-cli.js';

it('shows each command of help --map in a transcript', async () => {
  const { stdout } = await runCli(['help', '--map']);
  const commands = [...stdout.matchAll(/^orgctl ([a-z-]+(?: [a-z-]+)*)/gm)].map(([, words = '']) => words);
  expect(commands.length).toBeGreaterThan(60);
  const transcripts = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.txt'))
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
    .join('\n');
  expect(
    commands.filter((words) => !new RegExp(`^[$%] .*orgctl ${words}\\b`, 'm').test(transcripts)),
  ).toEqual([]);
});
