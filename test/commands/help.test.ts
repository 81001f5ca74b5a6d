import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { knownMistakes } from '../../src/signing/index.js';
import { allCommands } from '../support/command-tree.js';
import { errorOf, runCli } from '../support/run-cli.js';

// What holds for the help of each command is test/commands/help-golden.test.ts's.
const commands = (await allCommands()).filter(({ hidden }) => !hidden);

async function json(...args: string[]) {
  const ended = await runCli([...args, '-o', 'json']);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(ended.stdout);
}

describe('help', () => {
  it.each([
    [
      'help signin',
      'unknown command or topic: "signin"',
      expect.stringMatching(/^one of quotas, .*, signing$/),
    ],
    ['connections lst', "unknown command 'lst'", 'did you mean one of list, ls?'],
    // Never one that destroys.
    ['connections delet x', "unknown command 'delet'", expect.stringMatching(/^one of list, /)],
    ['quotas --sekret=hunter2', "unknown option '--sekret'", expect.not.stringContaining('hunter2')],
    ['serve --detached', "unknown option '--detached'", 'did you mean --detach?'],
    ['quotas --fail-ovr 9', "unknown option '--fail-ovr'", 'did you mean --fail-over?'],
  ])('%s names the nearest word', async (line, message, hint) => {
    const ended = await runCli([...line.split(' '), '-o', 'json']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(errorOf(ended)).toMatchObject({ code: 'usage', message, hint });
  });
});

describe('help --map', () => {
  it('has every command, in about 5,000 tokens as text', async () => {
    const { stdout } = await runCli(['help', '--map']);
    const leaves = commands.filter(({ isLeaf }) => isLeaf).map(({ line }) => line);
    for (const leaf of leaves) expect(`\n${stdout}`).toMatch(new RegExp(`\\n${leaf}[ \\n]`));
    // Four characters a token is what is reckoned with for English.
    expect(stdout.length / 4).toBeLessThan(5_000);
  });
});

describe('topics', () => {
  it('signing has an example that is right, and every known mistake', async () => {
    const { example, mistakes } = await json('help', 'signing');
    const signature = createHmac('sha256', example.secret).update(example.canonicalString).digest('hex');
    expect(example.headers['X-API-Signature']).toBe(signature);
    expect(mistakes).toEqual(knownMistakes);
    const text = (await runCli(['help', 'signing'])).stdout;
    for (const { id } of knownMistakes) expect(text).toContain(`  ${id} `);
    expect(text).toContain(`X-API-Signature: ${signature}`);
  });
});
