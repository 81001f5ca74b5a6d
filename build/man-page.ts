import type { CommandDescription } from '../src/verbs/help/command-description.js';
import type { CommandMap } from '../src/verbs/help/command-map.js';
import { environmentVariables } from '../src/verbs/help/topics.js';

/** The name of a command's page for `man`, such as `orgctl-connections-create`. */
export function pageName({ command }: CommandDescription): string {
  return command.replaceAll(' ', '-');
}

/** The text of a package.json whose `man` lists these pages. npm does not install a whole directory of pages. */
export function namePages(packageText: string, pages: readonly string[]): string {
  const man = pages.map((page) => `./dist/${page}`).sort();
  return `${JSON.stringify({ ...JSON.parse(packageText), man }, null, 2)}\n`;
}

/** A command's manual page for section 1, in the macros of man(7). */
export function manPage(command: CommandDescription, { version, exitCodes, commands }: CommandMap): string {
  const isRoot = !command.command.includes(' ');
  const meaningOf = new Map(exitCodes.map(({ exit, when }) => [exit, when]));
  const ends = command.exitCodes ?? (isRoot ? exitCodes : []);
  return [
    `.TH ${quoted(pageName(command).toUpperCase())} 1 "" ${quoted(`orgctl ${version}`)} "User Commands"`,
    section(
      'Name',
      `${pageName(command)} \\- ${escaped(command.summary || withoutEnd(command.description))}`,
    ),
    section('Synopsis', `.nf\n${line(command.usage)}\n.fi`),
    section('Description', [
      line(command.description),
      ...facts(command).map((fact) => `.PP\n${line(fact)}`),
    ]),
    section(
      'Arguments',
      command.arguments.map(({ name, description }) => item(name, description)),
    ),
    section(
      'Options',
      command.options.map(({ flags, description }) => item(flags, description)),
    ),
    section(
      'Commands',
      (command.subcommands ?? []).map(({ name, summary }) => item(name, summary)),
    ),
    section(
      'Exit status',
      ends.map(({ exit }) => item(String(exit), meaningOf.get(exit) ?? '')),
    ),
    section(
      'Environment',
      isRoot ? environmentVariables.map(([names, meaning]) => item(names, meaning)) : [],
    ),
    section(
      'Examples',
      command.examples.map(({ command: typed, what }) => example(typed, what)),
    ),
    section('See also', seeAlso(command, commands).map(reference).join(',\n')),
  ]
    .filter((part) => part !== '')
    .join('\n')
    .concat('\n');
}

function facts({ writes = [], asks, subcommands }: CommandDescription): string[] {
  return [
    ...(writes.length === 0 ? [] : [`It writes: ${writes.join(', ')}.`]),
    ...(asks ? [`It asks ${asks}.`] : []),
    ...(subcommands === undefined ? ['The global options are described in orgctl(1).'] : []),
  ];
}

/** The parent command and the subcommands. */
function seeAlso(command: CommandDescription, all: readonly CommandDescription[]): CommandDescription[] {
  const parentOf = (line: string) => line.slice(0, Math.max(0, line.lastIndexOf(' ')));
  return all.filter(
    (other) => other.command === parentOf(command.command) || parentOf(other.command) === command.command,
  );
}

function reference(command: CommandDescription): string {
  return `.BR ${escaped(pageName(command))} (1)`;
}

/** A section; empty text if its body is empty. */
function section(heading: string, body: string | readonly string[]): string {
  const text = typeof body === 'string' ? body : body.join('\n');
  return text === '' ? '' : `.SH ${quoted(heading.toUpperCase())}\n${text}`;
}

/** A term, with its meaning indented below it. */
function item(term: string, meaning: string): string {
  return `.TP\n.B ${quoted(term)}\n${line(meaning)}`;
}

/** A command to type, without filling or line breaks. */
function example(typed: string, what: string): string {
  return `.PP\n${line(`${what.charAt(0).toUpperCase()}${what.slice(1)}:`)}\n.PP\n.RS 4\n.nf\n${line(typed)}\n.fi\n.RE`;
}

/** A line of text; escapes a dot or an apostrophe at its start, which would make it a request. */
function line(text: string): string {
  return escaped(text).replace(/^(?=[.'])/, '\\&');
}

/** The argument of a macro. */
function quoted(text: string): string {
  return `"${escaped(text).replaceAll('"', '\\(dq')}"`;
}

const specials: Readonly<Record<string, string>> = {
  '\\': '\\e',
  // ASCII characters that can be copied: formatters turn plain ones into typographic ones.
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
};

function escaped(text: string): string {
  return text
    .replaceAll(/[\\\-'`^~]/g, (character) => specials[character] ?? character)
    .replaceAll(
      /\P{ASCII}/gu,
      (character) => `\\[u${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`,
    );
}

function withoutEnd(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
