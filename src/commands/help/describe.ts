import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { collect } from '../../cli/command.js';
import { exits } from '../../cli/exit.js';
import { isGlobal, listChoices } from '../../cli/global-options.js';
import { paragraph } from '../../cli/help-format.js';
import { type Facts, readExplanation } from '../../cli/help-text.js';
import { subcommand, toCommandLine } from '../../cli/lazy-command.js';
import type { ErrorCode } from '../../errors/errors.js';
import { version } from '../../platform/version.js';
import { settings } from '../../profiles/settings/settings.js';
import { exitRows } from './topics.js';

export type CommandDescription = ReturnType<typeof describeCommand>;

function describeCommand(command: CommandUnknownOpts) {
  const { examples, facts } = readExplanation(command);
  const helper = command.createHelp();
  const isRoot = command.parent === null;
  const below = helper.visibleCommands(command);
  return {
    command: toCommandLine(command),
    usage: helper.commandUsage(command),
    summary: command.summary(),
    description: command.description(),
    arguments: command.registeredArguments.map(describeArgument),
    options: helper
      .visibleOptions(command)
      .filter((option) => isRoot || !(isGlobal(option) || option.long === '--help'))
      .map(describeOption),
    examples: examples.map(([line, what]) => ({ command: line, what })),
    ...(below.length > 0 && {
      subcommands: below.map((child) => ({ name: child.name(), summary: child.summary() })),
    }),
    ...(facts && {
      calls: facts.calls ?? null,
      writes: facts.writes ?? [],
      asks: facts.asks ?? null,
      exitCodes: listExitCodes(facts),
    }),
  };
}

/** Describes the command, and then all listed commands below it. */
export async function describeAll(command: CommandUnknownOpts): Promise<CommandDescription[]> {
  const below: CommandDescription[] = [];
  for (const { name } of describeCommand(command).subcommands ?? []) {
    const child = await subcommand(command, name);
    if (child !== undefined) below.push(...(await describeAll(child)));
  }
  return [describeCommand(command), ...below];
}

function describeArgument(argument: Argument) {
  const { description, required, variadic: repeatable, argChoices: choices } = argument;
  return { name: argument.name(), description, required, repeatable, ...(choices && { choices }) };
}

const always: readonly ErrorCode[] = ['internal', 'usage', 'config', 'hung_up', 'interrupted', 'terminated'];
const ofAnswers: readonly ErrorCode[] = [
  ...(['unauthenticated', 'forbidden', 'not_found', 'rate_limited', 'network'] as const),
  ...(['server', 'rejected'] as const),
];

function listExitCodes({ calls, writes = [], exits: own = [] }: Facts) {
  const changes = calls !== undefined && (writes.includes('service') || writes.includes('server'));
  const codes: ReadonlySet<string> = new Set<ErrorCode>([
    ...always,
    ...(calls === undefined ? [] : ofAnswers),
    ...(changes ? (['outcome_unknown'] as const) : []),
    ...own,
  ]);
  const errors = Object.entries(exits).filter(([code]) => codes.has(code));
  return [{ exit: 0 }, ...errors.map(([code, [exit]]) => ({ exit, code }))];
}

/** `flags` are as in the command's help: the placeholder names the type of the value. */
function describeOption(option: Option) {
  const { long, short, flags, description } = option;
  const setting = Object.values(settings).find((each) => 'flag' in each && each.flag.option === long);
  return {
    ...{ long, short, flags, description, choices: listChoices(option) },
    ...(option.mandatory && { required: true }),
    ...((option.variadic || option.parseArg === collect) && { repeatable: true }),
    ...(setting !== undefined && 'env' in setting && { env: setting.env }),
  };
}

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
  const first = `Each command: usage, effect, exit codes besides ${shared.join(' ')}, and an example.`;
  const paragraphs = [
    [first],
    ...(globals === undefined ? [] : [['Global options, for every command:', ...globals]]),
    ...does.map((command) => toParagraph(command, shared)),
    ['Exit codes:', ...exitCodes.map(({ exit, when }) => `  ${exit}: ${when}`)],
  ];
  return paragraphs.map((lines) => lines.map((line) => wrapLine(line, width)).join('')).join('\n');
}

function wrapLine(line: string, width: number): string {
  return paragraph(line, width - 6).replaceAll(/\n(?=.)\s*/g, '\n      ');
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
  const shown = options.map(({ flags, short, required }) => {
    const text = short === undefined ? flags : flags.replace(`${short}, `, '');
    return required ? text : `[${text}]`;
  });
  return [command, ...operands, ...shown].join(' ');
}
