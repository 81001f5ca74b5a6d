import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { UsageError } from '../errors/errors.js';
import { conversionHint, isProbablyMisread } from '../text/utf8.js';
import { isGlobal } from './global-options.js';

/**
 * Node.js has replaced the bytes of an argument that are not UTF-8. Arguments that only select, such as names to delete
 * and `--query`, are allowed: they may look for a name that an earlier program spoiled.
 * @throws UsageError naming the option, but not its value
 */
export function refuseMisread(command: CommandUnknownOpts): void {
  const misread = command.options.find(
    (option) => !isGlobal(option) && hasMisreadText(command.getOptionValue(option.attributeName())),
  );
  if (misread === undefined) return;
  throw new UsageError(`${misread.long}: the value contains U+FFFD, so it was probably not UTF-8 text`, {
    hint: conversionHint,
  });
}

function hasMisreadText(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasMisreadText);
  return typeof value === 'string' && isProbablyMisread(value);
}

const ofPath = /[<[](?:\w+\|)?(?:dir|file|path)[>\]]$/;

/** @throws UsageError for an empty path, which a script's unset variable makes, and which means the working directory */
export function refuseEmptyPaths(command: CommandUnknownOpts): void {
  const isEmpty = (option: Option) => command.getOptionValue(option.attributeName()) === '';
  const option = command.options.find((each) => ofPath.test(each.flags) && !isGlobal(each) && isEmpty(each));
  const argument = command.registeredArguments.find(
    (each, at) => each.name() === 'file' && command.args[at] === '',
  );
  const empty = option?.long ?? (argument && '<file>');
  if (empty === undefined) return;
  throw new UsageError(`${empty} must not be empty`, { hint: 'is a variable in your script empty?' });
}

/** By placeholder: values that are, contain or are mistaken for a secret. */
const unshown = /[<[](?:body|command|id|json|signature|url|variable)[>\]]$/;

/** `null` for an optional value that was left out. */
type TypedValue = string | null;

const typedValues = new WeakMap<Option, TypedValue[]>();

/** Records the typed values of a command's own options, because the parser keeps only the last one. */
export function recordValues(command: CommandUnknownOpts): void {
  for (const option of command.options.filter(keepsLastValue)) {
    const values: TypedValue[] = [];
    typedValues.set(option, values);
    command.on(`option:${option.name()}`, (value: TypedValue) => values.push(value));
  }
}

/** Any parser of our own collects the values; the parser of choices does not. */
function keepsLastValue(option: Option): boolean {
  const collects = option.variadic || (option.parseArg !== undefined && option.argChoices === undefined);
  return (option.required || option.optional) && !collects && !isGlobal(option);
}

/** @throws UsageError for an option with several different values: all but the last would be lost */
export function refuseRepeated({ options }: CommandUnknownOpts): void {
  for (const option of options) {
    const values = typedValues.get(option) ?? [];
    if (new Set(values).size > 1) throw repeatedError(option, values);
  }
}

function repeatedError({ flags, long, description }: Option, values: readonly TypedValue[]): UsageError {
  const times = values.length === 2 ? 'twice' : `${values.length} times`;
  const typed = values.map((value) => (value === null ? 'without a value' : JSON.stringify(value)));
  const shown = unshown.test(flags) ? '' : `: ${typed.join(' and ')}`;
  // The description of an option that takes a list shows one.
  const [, list] = /\((--[\w-]+=[^\s,)]+,[^\s)]+)\)/.exec(description) ?? [];
  return new UsageError(`${long} was given ${times}${shown}`, {
    hint: list === undefined ? 'give it once' : `give it once, with a list of values: ${list}`,
  });
}
