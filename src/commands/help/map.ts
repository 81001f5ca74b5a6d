import { indentText, paragraph } from '../../cli/help-format.js';
import { version } from '../../platform/version.js';
import type { CommandDescription, OptionDescription } from './describe.js';
import { exitRows } from './topics.js';

export interface CommandMap {
  readonly version: string;
  readonly exitCodes: ReturnType<typeof exitRows>;
  readonly commands: readonly CommandDescription[];
}

export function commandMap(commands: readonly CommandDescription[]): CommandMap {
  return { version, exitCodes: exitRows(), commands };
}

/** The map for people and language models, wrapped to a width; states once what all commands share. */
export function mapText({ commands, exitCodes }: CommandMap, width: number): string {
  const [root] = commands.filter(({ command }) => command === 'orgctl');
  const does = commands.filter((command) => command.exitCodes !== undefined);
  const shared = sharedExits(does);
  const legend = `Each command: its arguments and options, its effect, what it writes, what it asks on a terminal, exit codes besides ${shared.join(' ')}, and an example. With -o json, all details.`;
  const globals =
    root === undefined ? [] : ['Global options, for every command:', ...root.options.map(globalLine)];
  const meanings = exitCodes.map(({ exit, when }) => `  ${exit}: ${when}`);
  const paragraphs = [
    [legend],
    globals,
    ...does.map((command) => toParagraph(command, shared)),
    ['Exit codes:', ...meanings],
  ];
  return paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => wrapLine(line, width)).join(''))
    .join('\n');
}

function wrapLine(line: string, width: number): string {
  const [first = '', ...more] = paragraph(line, width - 6)
    .trimEnd()
    .split('\n');
  return [first, ...more.map((part) => indentText(part.trimStart(), 6)), ''].join('\n');
}

function sharedExits(commands: readonly CommandDescription[]): number[] {
  const [first, ...others] = commands.map(({ exitCodes = [] }) => exitCodes.map(({ exit }) => exit));
  return (first ?? []).filter((exit) => others.every((exits) => exits.includes(exit)));
}

function toParagraph(command: CommandDescription, shared: readonly number[]): string[] {
  const { summary, writes = [], asks, exitCodes = [], examples } = command;
  const exits = exitCodes.map(({ exit }) => exit).filter((exit) => !shared.includes(exit));
  const facts = [
    ...(writes.length === 0 ? [] : [`writes ${writes.join(', ')}`]),
    ...(asks ? [`asks ${asks}`] : []),
    ...(exits.length === 0 ? [] : [`exits ${exits.join(' ')}`]),
  ];
  const [example] = examples;
  return [
    synopsis(command),
    `  ${[summary, ...facts].join('; ')}`,
    ...(example === undefined ? [] : [`  ${example.command}`]),
  ];
}

function synopsis({ command, arguments: taken, options }: CommandDescription): string {
  const operands = taken.map(({ name, required, repeatable, choices }) => {
    const shown = `${choices === undefined ? name : choices.join('|')}${repeatable ? '...' : ''}`;
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

function globalLine({ flags, description, env }: OptionDescription): string {
  return `  ${flags}: ${description}${env === undefined ? '' : ` (${env})`}`;
}
