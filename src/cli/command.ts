import { Argument, type Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Context } from './context.js';
import { type CommandExample, type Facts, withExamples } from './help-text.js';
import { type Define, type LazyCommand, mountCommands } from './lazy-command.js';

/** Flags as in usage: `<name>`, `[file]`, `<ids...>`. */
export interface ArgumentValue<Flags extends string = string> {
  readonly flags: Flags;
  readonly description: string;
  readonly choices?: readonly string[] | undefined;
}

interface Details {
  readonly choices?: readonly string[] | undefined;
  /** Keys of the options that cannot be given with this one. */
  readonly conflicts?: readonly string[] | undefined;
  readonly isRequired?: boolean | undefined;
}

/** Flags as in help: `--name <name>`, `-y, --yes`, `--page [n]`. */
export interface OptionValue<Flags extends string = string, Value = unknown> extends Details {
  readonly flags: Flags;
  readonly description: string;
  /** @throws UsageError for an invalid value */
  readonly parse?: ((text: string) => Value) | undefined;
}

export function argument<const Flags extends string>(
  flags: Flags,
  description: string,
  choices?: readonly string[],
): ArgumentValue<Flags> {
  return { flags, description, choices };
}

export function option<const Flags extends string>(
  flags: Flags,
  description: string,
  details: Details = {},
): OptionValue<Flags, Typed<Flags>> {
  return { flags, description, ...details };
}

export function parsedOption<const Flags extends string, Value>(
  flags: Flags,
  description: string,
  parse: (text: string) => Value,
): OptionValue<Flags, Value> {
  return { flags, description, parse };
}

export function repeatable<const Flags extends string>(
  flags: Flags,
  description: string,
): OptionValue<Flags, readonly string[]> {
  return { flags, description: `${description}; repeatable`, parse: collect };
}

/** The value that the parser makes of an argument or option with these flags. */
type Typed<Flags extends string> = Flags extends `${string}...${string}`
  ? readonly string[]
  : Flags extends `${string}<${string}`
    ? string
    : Flags extends `${string}--no-${string}`
      ? false
      : Flags extends `${string}--${string}[${string}`
        ? string | true
        : Flags extends `[${string}`
          ? string | undefined
          : true;

type LongName<Flags extends string> = Flags extends `${string}--${infer Rest}`
  ? Rest extends `${infer Name} ${string}`
    ? Name
    : Rest
  : never;
type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;
type KeyOf<Flags extends string> =
  LongName<Flags> extends `no-${infer Name}` ? CamelCase<Name> : CamelCase<LongName<Flags>>;

export type ArgumentsOf<List extends readonly ArgumentValue[]> = {
  [At in keyof List]: List[At] extends ArgumentValue<infer Flags> ? Typed<Flags> : never;
};

/** The options as `run` gets them, by their long names in camel case. */
export type OptionsOf<List extends readonly OptionValue[]> = {
  readonly [Each in List[number] as KeyOf<Each['flags']>]?:
    | (Each extends OptionValue<string, infer Value> ? Value : never)
    | undefined;
};

type Arguments = readonly ArgumentValue[];
type Options = readonly OptionValue[];

/** A command as a value: what help and completion say of it, and what it does. */
export interface CommandValue<Args extends Arguments, Opts extends Options> extends Facts {
  readonly description: string;
  readonly args?: Args;
  readonly options?: Opts;
  readonly examples: readonly CommandExample[];
  /** Subcommands of a command that also runs without any. */
  readonly verbs?: readonly LazyCommand[];
  /** Changes how the command line is read; called last. */
  parser?(command: Command): void;
  /** @param parser this command, for finding other commands through it */
  run(
    context: Context,
    args: ArgumentsOf<Args>,
    options: OptionsOf<Opts>,
    parser: CommandUnknownOpts,
  ): Promise<void>;
}

export function command<const Args extends Arguments = [], const Opts extends Options = []>(
  value: CommandValue<Args, Opts>,
): Define {
  const { description, args = [], options = [], examples, verbs, parser: adapt, run, ...facts } = value;
  return (parser: Command, context: Context): void => {
    if (verbs !== undefined) mountCommands(parser, verbs, context);
    withExamples(parser.description(description), examples, facts);
    for (const each of args) parser.addArgument(makeArgument(each));
    for (const each of options) parser.addOption(makeOption(each));
    parser.action(() => {
      // Commander has parsed words and options by these declarations.
      const words = parser.processedArgs as readonly unknown[] as ArgumentsOf<Args>;
      return run(context, words, parser.opts() as OptionsOf<Opts>, parser);
    });
    adapt?.(parser);
  };
}

/** If there is no `description`, the summary becomes one. */
type Summarized<Value> = Omit<Value, 'description'> & {
  readonly summary: string;
  readonly description?: string | undefined;
};

export function verb<const Args extends Arguments = [], const Opts extends Options = []>(
  name: string,
  { summary, description = toSentence(summary), ...value }: Summarized<CommandValue<Args, Opts>>,
): LazyCommand {
  return { name, summary, load: async () => command<Args, Opts>({ ...value, description }) };
}

function toSentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

interface GroupValue {
  readonly description: string;
  readonly examples: readonly CommandExample[];
  readonly verbs: readonly LazyCommand[];
}

export function group({ description, examples, verbs }: GroupValue): Define {
  return (parser, context) => {
    withExamples(parser.description(description), examples);
    mountCommands(parser, verbs, context);
  };
}

export function subgroup(name: string, { summary, ...value }: Summarized<GroupValue>): LazyCommand {
  return { name, summary, load: async () => group({ description: toSentence(summary), ...value }) };
}

function makeArgument({ flags, description, choices }: ArgumentValue): Argument {
  const made = new Argument(flags, description);
  return choices === undefined ? made : made.choices([...choices]);
}

function makeOption({ flags, description, isRequired = false, ...given }: OptionValue): Option {
  const made = new Option(flags, description).makeOptionMandatory(isRequired);
  if (given.choices !== undefined) made.choices([...given.choices]);
  if (given.parse !== undefined) made.argParser(given.parse);
  return made.conflicts([...(given.conflicts ?? [])]);
}

export function collect(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, text];
}
