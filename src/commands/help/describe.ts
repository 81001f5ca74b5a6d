import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { collect } from '../../cli/command.js';
import { exits } from '../../cli/exit.js';
import { isGlobal, listChoices } from '../../cli/global-options.js';
import { type Facts, readExplanation } from '../../cli/help-text.js';
import { subcommand, toCommandLine } from '../../cli/lazy-command.js';
import type { ErrorCode } from '../../errors/errors.js';
import { settings } from '../../profiles/settings/settings.js';

/** A command as data, from its parser and its declared facts. */
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
      .map((option) => describeOption(option, command)),
    examples: examples.map(([line, what]) => ({ command: line, what })),
    ...(below.length > 0 && {
      subcommands: below.map((child) => ({ name: child.name(), summary: child.summary() })),
    }),
    // Only for commands with declared facts.
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

/** An option as data; absent fields do not apply. */
export interface OptionDescription {
  readonly long?: string | undefined;
  readonly short?: string | undefined;
  readonly flags: string;
  readonly description: string;
  readonly type: string;
  readonly required?: true;
  readonly valueOptional?: true;
  readonly repeatable?: true;
  readonly choices?: readonly string[] | undefined;
  readonly env?: string;
  readonly conflicts?: readonly string[];
}

/** Types by placeholder; any other placeholder means `text`. */
const typeOfPlaceholder: Readonly<Record<string, string>> = {
  ...{ n: 'number', port: 'number', percent: 'number', seconds: 'number' },
  ...{ duration: 'duration', interval: 'duration', url: 'url', 'a,b,c': 'list' },
  ...{ path: 'path', file: 'path', dir: 'path' },
};

function describeOption(option: Option, command: CommandUnknownOpts): OptionDescription {
  const { long, short, flags, description } = option;
  const [, placeholder] = /[<[]([^<[>\]]+)[>\]]$/.exec(flags) ?? [];
  const setting = Object.values(settings).find((each) => 'flag' in each && each.flag.option === long);
  const conflicts = listConflicts(option, command);
  return {
    ...{ long, short, flags, description, choices: listChoices(option) },
    type: placeholder === undefined ? 'flag' : (typeOfPlaceholder[placeholder] ?? 'text'),
    ...(option.mandatory && { required: true }),
    ...(option.optional && { valueOptional: true }),
    ...((option.variadic || option.parseArg === collect) && { repeatable: true }),
    ...(setting !== undefined && 'env' in setting && { env: setting.env }),
    ...(conflicts.length > 0 && { conflicts }),
  };
}

// Commander's types hide `conflictsWith`, a list of attribute names.
function listConflicts(option: Option, { options }: CommandUnknownOpts): string[] {
  const names: unknown = Reflect.get(option, 'conflictsWith');
  if (!Array.isArray(names)) return [];
  const others = options.filter((other) => names.includes(other.attributeName()));
  return others.flatMap(({ long }) => long ?? []);
}
