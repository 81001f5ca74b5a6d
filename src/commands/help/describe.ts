import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { collect } from '../../cli/command.js';
import { exitCodeMeanings, exitCodes } from '../../cli/exit.js';
import { isGlobal, listChoices } from '../../cli/global-options.js';
import { type Facts, readExplanation } from '../../cli/help-text.js';
import { subcommand, toCommandLine } from '../../cli/lazy-command.js';
import type { ErrorCode } from '../../errors/errors.js';
import { settings } from '../../profiles/settings/settings.js';

/** A command as data, from its parser and its declared facts. */
export interface CommandDescription {
  readonly command: string;
  readonly usage: string;
  readonly summary: string;
  readonly description: string;
  readonly arguments: readonly ArgumentDescription[];
  readonly options: readonly OptionDescription[];
  readonly examples: readonly { readonly command: string; readonly what: string }[];
  readonly subcommands?: readonly { readonly name: string; readonly summary: string }[];
  /** This and the following fields exist only for commands with declared facts. */
  readonly calls?: 'service' | 'control' | null;
  readonly writes?: NonNullable<Facts['writes']>;
  readonly asks?: string | null;
  readonly exitCodes?: readonly { readonly exit: number; readonly code?: ErrorCode }[];
}

interface ArgumentDescription {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly repeatable: boolean;
  readonly choices?: readonly string[];
}

function describeCommand(command: CommandUnknownOpts): CommandDescription {
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
      .map((option) => describeOption(option, command)),
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

function describeArgument(argument: Argument): ArgumentDescription {
  return {
    name: argument.name(),
    description: argument.description,
    required: argument.required,
    repeatable: argument.variadic,
    ...(argument.argChoices && { choices: argument.argChoices }),
  };
}

const always: readonly ErrorCode[] = ['internal', 'usage', 'config', 'hung_up', 'interrupted', 'terminated'];
const ofAnswers: readonly ErrorCode[] = [
  'unauthenticated',
  'forbidden',
  'not_found',
  'rate_limited',
  'network',
  'server',
  'rejected',
];

function listExitCodes({ calls, writes = [], exits = [] }: Facts) {
  const changes =
    calls !== undefined && writes.some((written) => written === 'service' || written === 'server');
  const codes = new Set([
    ...always,
    ...(calls === undefined ? [] : ofAnswers),
    ...(changes ? ['outcome_unknown' as const] : []),
    ...exits,
  ]);
  return exitCodeMeanings
    .map(([code]) => code)
    .filter((code) => code === undefined || codes.has(code))
    .map((code) => (code === undefined ? { exit: 0 } : { exit: exitCodes[code], code }));
}

/** An option as data; absent fields do not apply. */
export interface OptionDescription {
  readonly long?: string;
  readonly short?: string;
  readonly flags: string;
  readonly description: string;
  readonly type: OptionType;
  readonly required?: true;
  readonly valueOptional?: true;
  readonly repeatable?: true;
  readonly choices?: readonly string[];
  readonly env?: string;
  readonly conflicts?: readonly string[];
}

type OptionType = 'flag' | 'text' | 'number' | 'duration' | 'path' | 'url' | 'list';

// By placeholder; any other placeholder means `text`.
const typeOfPlaceholder: Readonly<Record<string, OptionType>> = {
  n: 'number',
  port: 'number',
  percent: 'number',
  seconds: 'number',
  duration: 'duration',
  interval: 'duration',
  path: 'path',
  file: 'path',
  dir: 'path',
  url: 'url',
  'a,b,c': 'list',
};

function describeOption(option: Option, command: CommandUnknownOpts): OptionDescription {
  const [, placeholder] = /[<[]([^<[>\]]+)[>\]]$/.exec(option.flags) ?? [];
  const choices = listChoices(option);
  const env = Object.values(settings).find(
    (setting) => 'flag' in setting && setting.flag.option === option.long && 'env' in setting,
  );
  const conflicts = listConflicts(option, command);
  return {
    ...(option.long !== undefined && { long: option.long }),
    ...(option.short !== undefined && { short: option.short }),
    flags: option.flags,
    description: option.description,
    type: placeholder === undefined ? 'flag' : (typeOfPlaceholder[placeholder] ?? 'text'),
    ...(option.mandatory && { required: true }),
    ...(option.optional && { valueOptional: true }),
    ...((option.variadic || option.parseArg === collect) && { repeatable: true }),
    ...(choices !== undefined && { choices }),
    ...(env !== undefined && 'env' in env && { env: env.env }),
    ...(conflicts.length > 0 && { conflicts }),
  };
}

// Commander's types hide `conflictsWith`, a list of attribute names.
function listConflicts(option: Option, { options }: CommandUnknownOpts): string[] {
  const names: unknown = Reflect.get(option, 'conflictsWith');
  if (!Array.isArray(names)) return [];
  return options
    .filter((other) => names.includes(other.attributeName()))
    .flatMap(({ long }) => (long === undefined ? [] : [long]));
}
