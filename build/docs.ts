import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { dialectJsonSchema } from '../src/api/dialect/dialect.js';
import { apiDocument } from '../src/api/openapi.js';
import { helpFileName } from '../src/cli/help-text.js';
import { openContext } from '../src/cli/open-context.js';
import { createProgram } from '../src/command-line.js';
import {
  type CommandDescription,
  type CommandMap,
  commandMap,
  describeAll,
  mapText,
} from '../src/commands/help/describe.js';
import { environmentVariables } from '../src/commands/help/topics.js';
import { run } from '../src/main.js';
import { organizationJsonSchema } from '../src/organization/file.js';
import { toSystem } from '../src/terminal/process/system.js';

// Writes what the declarations say into `dist/`, after the bundles: OpenAPI document, JSON Schemas, manual page,
// prepared help pages and llms.txt.

const root = join(import.meta.dirname, '..');

/** Texts by file name below `dist`. */
async function documents(): Promise<Readonly<Record<string, string>>> {
  const context = openContext(toSystem(process), () => ({}));
  const map = commandMap(await describeAll(createProgram(context, () => undefined)));
  await context.close();
  const help: Record<string, string> = {};
  for (const { command } of map.commands) {
    const [, ...words] = command.split(' ');
    help[`help/${helpFileName(words.join(' '))}`] = await outputOf([...words, '--help']);
  }
  return {
    'openapi.json': json(apiDocument()),
    'dialect.schema.json': json(dialectJsonSchema()),
    'organization.schema.json': json(organizationJsonSchema()),
    'man/orgctl.1': manPage(map),
    'llms.txt': llmsText(map),
    ...help,
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The text that a command line prints to a pipe. */
async function outputOf(words: readonly string[]): Promise<string> {
  const stdout = new PassThrough();
  const nothing = () => undefined;
  const system = {
    ...{ argv: ['node', 'orgctl', ...words], env: {}, platform: process.platform, pid: process.pid },
    ...{ stdin: new PassThrough(), stdout, stderr: new PassThrough() },
    ...{ cwd: () => process.cwd(), on: nothing, off: nothing, stop: nothing, stopJob: nothing },
  };
  await run(system, () => import('../src/command-line.js'));
  return text(stdout.end());
}

/** A description for language models, in the format of llmstxt.org. */
function llmsText(map: CommandMap): string {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .sort();
  return `# orgctl

> ${map.commands[0]?.description ?? ''} orgctl serve runs the whole service on this machine.

## Commands

\`\`\`text
${mapText(map, 110).trimEnd()}
\`\`\`

## More

- [README](../README.md): what it is, and how to start
- [openapi.json](openapi.json): the API's OpenAPI 3.1 document
- [dialect.schema.json](dialect.schema.json): the schema of dialect files, for serve --dialect
- [organization.schema.json](organization.schema.json): the schema of organization files, for export, diff and apply
${pages.map((path) => `- [${titleOf(path)}](../${path})\n`).join('')}`;
}

function titleOf(path: string): string {
  return /^# (.+)$/m.exec(readFileSync(join(root, path), 'utf8'))?.[1] ?? path;
}

/**
 * The manual page of all commands, for section 1, in the macros of man(7). One page, because npm installs only the
 * pages that package.json names one by one.
 */
export function manPage({ version, exitCodes, commands }: CommandMap): string {
  const [orgctl, ...others] = commands;
  if (orgctl === undefined) throw new Error('there are no commands');
  return [
    `.TH "ORGCTL" 1 "" ${quoted(`orgctl ${version}`)} "User Commands"`,
    `.SH "NAME"\norgctl \\- ${escaped(orgctl.description.replace(/\.$/, ''))}`,
    `.SH "SYNOPSIS"\n${literal(orgctl.usage)}`,
    '.SH "GLOBAL OPTIONS"',
    ...orgctl.options.map(({ flags, description }) => item(flags, description)),
    '.SH "COMMANDS"',
    ...others.filter(({ exitCodes: ends }) => ends !== undefined).map(commandSection),
    '.SH "EXIT STATUS"',
    ...exitCodes.map(({ exit, when }) => item(String(exit), when)),
    '.SH "ENVIRONMENT"',
    ...environmentVariables.map(([names, meaning]) => item(names, meaning)),
    '.SH "EXAMPLES"',
    ...orgctl.examples.map(example),
    '',
  ].join('\n');
}

function commandSection({ command, usage, description, ...rest }: CommandDescription): string {
  const { arguments: taken, options, examples, writes = [], asks, exitCodes = [] } = rest;
  const facts = [
    ...(writes.length === 0 ? [] : [`It writes: ${writes.join(', ')}.`]),
    ...(asks ? [`It asks ${asks}.`] : []),
    ...(exitCodes.length === 0 ? [] : [`Exit status: ${exitCodes.map(({ exit }) => exit).join(', ')}.`]),
  ];
  return [
    `.SS ${quoted(command)}\n${literal(usage)}\n.PP\n${line(description)}`,
    ...taken.map(({ name, description: meaning }) => item(name, meaning)),
    ...options.map(({ flags, description: meaning }) => item(flags, meaning)),
    ...facts.map((fact) => `.PP\n${line(fact)}`),
    ...examples.map(example),
  ].join('\n');
}

/** A term, with its meaning indented below it. */
function item(term: string, meaning: string): string {
  return `.TP\n.B ${quoted(term)}\n${line(meaning)}`;
}

function example({ command, what }: { readonly command: string; readonly what: string }): string {
  const purpose = `${what.charAt(0).toUpperCase()}${what.slice(1)}:`;
  return `.PP\n${line(purpose)}\n.PP\n.RS 4\n${literal(command)}\n.RE`;
}

/** A line without filling or line breaks. */
function literal(typed: string): string {
  return `.nf\n${line(typed)}\n.fi`;
}

/** A line of text; escapes a dot or an apostrophe at its start, which would make it a request. */
function line(content: string): string {
  return escaped(content).replace(/^(?=[.'])/, '\\&');
}

/** The argument of a macro. */
function quoted(content: string): string {
  return `"${escaped(content).replaceAll('"', '\\(dq')}"`;
}

/** Escapes that keep ASCII characters: formatters would make them typographic, so no longer right when copied. */
const specials: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
};

function escaped(content: string): string {
  return content
    .replaceAll(/[\\\-'`^~]/g, (character) => specials[character] ?? character)
    .replaceAll(
      /\P{ASCII}/gu,
      (character) => `\\[u${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`,
    );
}

if (process.argv[1] === import.meta.filename) {
  for (const [name, content] of Object.entries(await documents())) {
    const path = join(root, 'dist', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}
