import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { collect } from '../../cli/command.js';
import { listChoices } from '../../cli/option-choices.js';
import { settings } from '../../profiles/settings/settings.js';

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
  readonly default?: string;
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

export function describeOption(option: Option, command: CommandUnknownOpts): OptionDescription {
  const [, placeholder] = /[<[]([^<[>\]]+)[>\]]$/.exec(option.flags) ?? [];
  const said = defaultIn(option.description);
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
    ...(said !== undefined && { default: said }),
    ...(choices !== undefined && { choices }),
    ...(env !== undefined && 'env' in env && { env: env.env }),
    ...(conflicts.length > 0 && { conflicts }),
  };
}

/** Reads the default from the description (`default 30s`, `hmac (default)`), because the parser does not know it. */
function defaultIn(description: string): string | undefined {
  const [, marked, named] =
    /(?<!\S)(\S+) (?:\(default\)|is the default)|\bdefault:? (?!with\b)(?:every )?([^;]+)/.exec(
      description,
    ) ?? [];
  return marked ?? named;
}

// Commander's types hide `conflictsWith`, a list of attribute names.
function listConflicts(option: Option, { options }: CommandUnknownOpts): string[] {
  const names: unknown = Reflect.get(option, 'conflictsWith');
  if (!Array.isArray(names)) return [];
  return options
    .filter((other) => names.includes(other.attributeName()))
    .flatMap(({ long }) => (long === undefined ? [] : [long]));
}
