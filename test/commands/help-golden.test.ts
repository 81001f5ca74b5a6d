import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allCommands } from '../support/command-tree.js';
import { emptyEnvironment, errorOf, runCli } from '../support/run-cli.js';

// UPDATE_GOLDEN=1 npm test writes the files anew.
const golden = join(import.meta.dirname, '..', 'golden', 'help');
const update = Boolean(process.env['UPDATE_GOLDEN']);

const commands = (await allCommands()).filter(({ hidden }) => !hidden);
const fileOf = (line: string) => `${line.replaceAll(' ', '-')}.txt`;

const terminal = (columns: number) => ({
  env: { ...emptyEnvironment(), NO_COLOR: '1' },
  isTTY: true,
  columns,
});

async function helpOf(words: readonly string[], columns?: number): Promise<string> {
  const ended = await runCli([...words, '--help'], columns === undefined ? {} : terminal(columns));
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
  return ended.stdout;
}

describe.each(commands)('$line', ({ line, words, command, isLeaf }) => {
  it('has the help that the golden file shows', async () => {
    const path = join(golden, fileOf(line));
    const help = await helpOf(words);
    if (update) writeFileSync(path, help);
    expect(help, 'after a change that is meant: UPDATE_GOLDEN=1 npm test').toBe(
      existsSync(path) ? readFileSync(path, 'utf8') : 'no golden file',
    );
  });

  it('has a description and an example of itself', async () => {
    const help = await helpOf(words);
    expect(command.description()).toMatch(/\.$/);
    expect(help.split('\nExamples:\n')[1]).toMatch(new RegExp(`^  [^#].*${line}\\b|^  ${line}\\b`, 'm'));
  });

  it('describes every argument and option', () => {
    for (const part of [...command.registeredArguments, ...command.options]) {
      expect(part.description, part.name()).not.toBe('');
    }
  });

  it('accepts -o json, and reports errors so', async () => {
    const ended = await runCli([...words, '-o', 'json', '--no-such-option']);
    expect(ended.code).toBe(2);
    expect(errorOf(ended)).toMatchObject({ code: 'usage', exitCode: 2 });
  });

  it.each([60, 80, 120])('fits a terminal of %i columns', async (columns) => {
    const help = await helpOf(words, columns);
    // Usage and examples are there to be copied whole, so they are not broken.
    const [text = ''] = help.split('\nExamples:\n');
    const long = text.split('\n').filter((row) => row.length > columns && !row.startsWith('Usage:'));
    expect(long).toEqual([]);
  });

  it.runIf(isLeaf)('reads nothing and calls nobody for its help', async () => {
    const env = { ORGCTL_CONFIG_DIR: '/dev/null/none', ORGCTL_BASE_URL: 'nonsense' };
    expect((await runCli([...words, '--help'], { env })).code).toBe(0);
  });
});

it('keeps no golden file of a command that is gone', () => {
  const gone = readdirSync(golden).filter((name) => !commands.some(({ line }) => fileOf(line) === name));
  if (update) for (const name of gone) rmSync(join(golden, name));
  expect(update ? [] : gone).toEqual([]);
});
