import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { choicesOf } from '../../cli/option-choices.js';
import { collect } from '../../input/body.js';
import { settings } from '../../profiles/settings/settings.js';

/** An option as data; absent fields do not apply. */
export interface OptionDescription {
  readonly long?: string;
  readonly short?: string;
  /** As help writes it, with the placeholder of its value. */
  readonly flags: string;
  readonly description: string;
  readonly type: OptionType;
  /** The command is refused without it. */
  readonly required?: true;
  /** It can be given without a value. */
  readonly valueOptional?: true;
  readonly repeatable?: true;
  /** As text, if only the description states it. */
  readonly default?: string;
  readonly choices?: readonly string[];
  /** The variable that has the same effect. */
  readonly env?: string;
  /** The options that cannot be given beside it. */
  readonly conflicts?: readonly string[];
}

type OptionType = 'flag' | 'text' | 'number' | 'duration' | 'path' | 'url' | 'list';

// The placeholder of a value tells its type; all others are texts.
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

/** What an option of a command is. */
export function describeOption(option: Option, command: CommandUnknownOpts): OptionDescription {
  const [, placeholder] = /[<[]([^<[>\]]+)[>\]]$/.exec(option.flags) ?? [];
  const said = defaultIn(option.description);
  const choices = choicesOf(option);
  const env = Object.values(settings).find(
    (setting) => 'flag' in setting && setting.flag.option === option.long && 'env' in setting,
  );
  const conflicts = conflictsOf(option, command);
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

/** Defaults depend on more than the parser knows, so only descriptions state them: `default 30s`, `hmac (default)`. */
function defaultIn(description: string): string | undefined {
  const [, marked, named] =
    /(?<!\S)(\S+) (?:\(default\)|is the default)|\bdefault:? (?!with\b)(?:every )?([^;]+)/.exec(
      description,
    ) ?? [];
  return marked ?? named;
}

// Commander keeps these by the names of their values, which its types do not show.
function conflictsOf(option: Option, { options }: CommandUnknownOpts): string[] {
  const names: unknown = Reflect.get(option, 'conflictsWith');
  if (!Array.isArray(names)) return [];
  return options
    .filter((other) => names.includes(other.attributeName()))
    .flatMap(({ long }) => (long === undefined ? [] : [long]));
}
