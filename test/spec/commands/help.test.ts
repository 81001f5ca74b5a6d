import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { helpFileName, readExplanation } from '../../../src/cli/help-text.js';
import { shellWords } from '../../../src/commands/completion/complete.js';
import { knownMistakes } from '../../../src/signing/index.js';
import { root } from '../../support/built-tool.js';
import { errorOf, runCli, withProfileFile } from '../../support/run-cli.js';
import { allCommands, type FoundCommand } from '../support/command-tree.js';

const commands = (await allCommands()).filter(({ hidden }) => !hidden);

async function helpOf(words: readonly string[], columns?: number): Promise<string> {
  const env = { ...withProfileFile('{'), NO_COLOR: '1', ORGCTL_BASE_URL: 'nonsense' };
  const ended = await runCli([...words], columns === undefined ? {} : { env, isTTY: true, columns });
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
  return ended.stdout;
}

/** The words after `orgctl` of an example, up to what its shell does with them. */
function wordsOf(example: string): string[] {
  const [, typed = ''] = /\borgctl (.*)$/.exec(example) ?? [];
  const quotedOrPlain = /^(?:'[^']*'|"[^"]*"|[^'"|&>)])*/.exec(typed)?.[0] ?? '';
  return shellWords(quotedOrPlain.trim());
}

/** The command that words are for, and the words that are left for it. */
function commandFor(words: readonly string[]): { found: FoundCommand; rest: readonly string[] } {
  const depth = words.findLastIndex((_, at) => commands.some(({ line }) => line === lineOf(words, at + 1)));
  const found = commands.find(({ line }) => line === lineOf(words, depth + 1));
  if (found === undefined) throw new Error(`no command: ${words.join(' ')}`);
  return { found, rest: words.slice(depth + 1) };
}

const lineOf = (words: readonly string[], count: number) => ['orgctl', ...words.slice(0, count)].join(' ');

/** Why commander would refuse an example: an unknown option, or too few or too many arguments. */
function problemOf(example: string): string | undefined {
  const { found, rest } = commandFor(wordsOf(example));
  const [root] = commands;
  if (root === undefined) return 'no commands';
  const globals = root.command.parseOptions([...rest]);
  const { operands, unknown } = found.command.parseOptions([...globals.operands, ...globals.unknown]);
  const given = operands.length + unknown.filter((word) => /^-\d/.test(word)).length;
  const taken = found.command.registeredArguments;
  const strange = unknown.filter((word) => /^--?[a-z]/i.test(word));
  if (strange.length > 0) return `unknown: ${strange.join(' ')}`;
  if (given < taken.filter(({ required }) => required).length) return 'an argument is missing';
  if (given > taken.length && !taken.at(-1)?.variadic) return 'too many arguments';
  return undefined;
}

it.each([
  ['orgctl-teams-create', ['teams', 'create', '--help']],
  ['orgctl-help-exit-codes', ['help', 'exit-codes']],
])(
  'help looks as the golden file shows %s; after a change that is meant: npx vitest run -u',
  async (name, words) => {
    await expect(await helpOf(words)).toMatchFileSnapshot(`./golden/${name}.txt`);
  },
);

describe.each(commands)('$line', ({ line, words, command }) => {
  const { examples } = readExplanation(command);
  const own = examples.filter(([text]) => text.includes(line));

  it('describes itself, and every argument and option', () => {
    expect(command.description()).toMatch(/\.$/);
    for (const part of [...command.registeredArguments, ...command.options])
      expect(part.description, part.name()).not.toBe('');
  });

  it('has an example of itself, no two alike, of commands and options that there are', () => {
    expect(own.length).toBeGreaterThanOrEqual(1);
    expect(new Set(own.map(([text]) => text)).size).toBe(own.length);
    expect(new Set(own.map(([, what]) => what)).size).toBe(own.length);
    // A reader can run each as printed.
    expect(own.filter(([text]) => text.includes('…'))).toEqual([]);
    for (const [example] of examples.filter(([text]) => text.includes('orgctl ')))
      expect(problemOf(example), example).toBeUndefined();
  });

  it('accepts -o json, and reports errors so', async () => {
    const ended = await runCli([...words, '-o', 'json', '--no-such-option']);
    expect([ended.code, errorOf(ended)]).toMatchObject([2, { code: 'usage', exitCode: 2 }]);
  });
});

it.each([
  [
    'help signin',
    'unknown command or topic: "signin"',
    expect.stringMatching(/^one of quotas, .*, signing$/),
  ],
  // Never one that destroys.
  ['connections delet x', "unknown command 'delet'", expect.stringMatching(/^one of list, /)],
  ['quotas --sekret=hunter2', "unknown option '--sekret'", expect.not.stringContaining('hunter2')],
  ['serve --detached', "unknown option '--detached'", 'did you mean --detach?'],
])('%s names the nearest word', async (line, message, hint) => {
  const ended = await runCli([...line.split(' '), '-o', 'json']);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(errorOf(ended)).toMatchObject({ code: 'usage', message, hint });
});

it('help signing has an example that is right, and every known mistake', async () => {
  const { example, mistakes } = JSON.parse((await runCli(['help', 'signing', '-o', 'json'])).stdout);
  const signature = createHmac('sha256', example.secret).update(example.canonicalString).digest('hex');
  expect(example.headers['X-API-Signature']).toBe(signature);
  expect(mistakes).toEqual(knownMistakes);
  const text = (await runCli(['help', 'signing'])).stdout;
  for (const { id } of knownMistakes) expect(text).toContain(`  ${id} `);
  expect(text).toContain(`X-API-Signature: ${signature}`);
});

it('what completes are all commands and options that help shows, and no hidden one', async () => {
  const values = async (...words: string[]) => {
    const { stdout } = await runCli(['__complete', '--', ...words]);
    return stdout.replaceAll(/\t.*/g, '').split('\n').slice(0, -1);
  };
  for (const { words, command } of commands) {
    const help = command.createHelp();
    const names = help.visibleCommands(command).map((child) => child.name());
    if (names.length > 0) expect(await values(...words, '')).toEqual(names);
    expect(await values(...words, '--')).toEqual(help.visibleOptions(command).map(({ long }) => long));
  }
});

// test/package/completion-shells.test.ts runs it where PowerShell is; elsewhere a change of it has at least to be looked at.
it('completion has a script for PowerShell', async () => {
  const { stdout } = await runCli(['completion', 'powershell']);
  await expect(stdout).toMatchFileSnapshot('./golden/orgctl.ps1');
});

const dist = join(root, 'dist');

it('the manual page is what npm installs, and has every command', async () => {
  const { man } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(man.map((page: string) => join(root, page))).toEqual([join(dist, 'man', 'orgctl.1')]);
  const page = readFileSync(join(dist, 'man', 'orgctl.1'), 'utf8');
  const leaves = commands.filter(({ isLeaf }) => isLeaf);
  const headings = leaves.map(({ line }) => `.SS "${line.replaceAll('-', '\\-')}"\n`);
  expect(headings.filter((heading) => !page.includes(heading))).toEqual([]);
});

it('the help that is made is what the command line prints, of every command', async () => {
  for (const { line } of commands) {
    const [, ...words] = line.split(' ');
    const made = readFileSync(join(dist, 'help', helpFileName(words.join(' '))), 'utf8');
    expect((await runCli([...words, '--help'])).stdout, line).toBe(made);
  }
});
