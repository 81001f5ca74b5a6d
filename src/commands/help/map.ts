import { indentText, paragraph } from '../../cli/help-format.js';
import { version } from '../../platform/version.js';
import type { CommandDescription, OptionDescription } from './describe.js';
import { exitRows } from './topics.js';

export type CommandMap = ReturnType<typeof commandMap>;

export function commandMap(commands: readonly CommandDescription[]) {
  return { version, exitCodes: exitRows(), commands };
}

/** The map for people and language models, wrapped to a width; states once what all commands share. */
export function mapText({ commands, exitCodes }: CommandMap, width: number): string {
  const root = commands.find(({ command }) => command === 'orgctl');
  const does = commands.filter((command) => command.exitCodes !== undefined);
  const exits = does.map(({ exitCodes: codes = [] }) => codes.map(({ exit }) => exit));
  const shared = (exits[0] ?? []).filter((exit) => exits.every((each) => each.includes(exit)));
  const globals = root?.options.map(
    ({ flags, description, env }) => `  ${flags}: ${description}${env === undefined ? '' : ` (${env})`}`,
  );
  const paragraphs = [
    [
      `Each command: its arguments and options, its effect, what it writes, what it asks on a terminal, exit codes besides ${shared.join(' ')}, and an example. With -o json, all details.`,
    ],
    ...(globals === undefined ? [] : [['Global options, for every command:', ...globals]]),
    ...does.map((command) => toParagraph(command, shared)),
    ['Exit codes:', ...exitCodes.map(({ exit, when }) => `  ${exit}: ${when}`)],
  ];
  return paragraphs.map((lines) => lines.map((line) => wrapLine(line, width)).join('')).join('\n');
}

function wrapLine(line: string, width: number): string {
  const wrapped = paragraph(line, width - 6).trimEnd();
  const [first = '', ...more] = wrapped.split('\n');
  return [first, ...more.map((part) => indentText(part.trimStart(), 6)), ''].join('\n');
}

function toParagraph(command: CommandDescription, shared: readonly number[]): string[] {
  const { summary, writes = [], asks, exitCodes = [], examples } = command;
  const exits = exitCodes.map(({ exit }) => exit).filter((exit) => !shared.includes(exit));
  const facts = [
    ...(writes.length === 0 ? [] : [`writes ${writes.join(', ')}`]),
    ...(asks ? [`asks ${asks}`] : []),
    ...(exits.length === 0 ? [] : [`exits ${exits.join(' ')}`]),
  ];
  const example = examples.slice(0, 1).map((each) => `  ${each.command}`);
  return [synopsis(command), `  ${[summary, ...facts].join('; ')}`, ...example];
}

function synopsis({ command, arguments: taken, options }: CommandDescription): string {
  const operands = taken.map(({ name, required, repeatable, choices }) => {
    const shown = `${choices?.join('|') ?? name}${repeatable ? '...' : ''}`;
    return required ? `<${shown}>` : `[${shown}]`;
  });
  return [command, ...operands, ...options.map(shortOption)].join(' ');
}

function shortOption({ long, flags, choices, required, repeatable }: OptionDescription): string {
  const [value] = /[<[].*$/.exec(flags) ?? [];
  const shown = choices === undefined ? value : `<${choices.join('|')}>`;
  const text = `${long ?? flags}${shown === undefined ? '' : ` ${shown}`}`;
  return `${required ? text : `[${text}]`}${repeatable ? '...' : ''}`;
}
