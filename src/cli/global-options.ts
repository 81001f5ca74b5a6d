import { Command, CommanderError, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { authModes, colorModes, outputChoices } from '../api/option-values.js';
import { type Flags, switchFlags, textFlags } from '../profiles/settings/settings.js';

// Values stay text: each setting has one parser for flag, environment and profile.
export const globalOptions: Readonly<Record<keyof Flags, readonly [flags: string, description: string]>> = {
  profile: ['-p, --profile <name>', 'profile to use; default: the current one'],
  baseUrl: ['--base-url <url>', 'address of the service; https, or http to this machine'],
  keyId: ['--key-id <id>', 'API key ID; its secret: ORGCTL_SECRET, ORGCTL_SECRET_FILE or the profile'],
  auth: ['--auth <mode>', 'hmac (default) or basic'],
  caFile: ['--ca-file <path>', 'extra CA certificates to trust (PEM file), or "system" for the OS store'],
  allowHost: ['--allow-host', "use the profile's secret even if --base-url has another origin"],
  output: ['-o, --output <format>', 'table (default), wide (every column), json, jsonl, yaml or csv'],
  query: ['--query <jmespath>', 'filter the JSON value before printing; implies -o json'],
  raw: ['-r, --raw', 'with --query: print strings unquoted, one per line'],
  columns: ['--columns <a,b,c>', 'columns of table and csv, as field names or dotted paths'],
  headers: ['--no-headers', 'omit the header row (table, csv)'],
  timeout: ['--timeout <duration>', 'limit for one attempt, default 30s'],
  deadline: ['--deadline <duration>', 'limit for all attempts and waits, default 2m'],
  retries: ['--retries <n>', 'retries after the first attempt, default 3'],
  color: ['--color <when>', 'auto (default), always or never'],
  quiet: ['-q, --quiet', 'hide progress and notes on stderr'],
  verbose: ['-v, --verbose', 'trace requests on stderr, secrets masked'],
};

const made = new WeakSet<Option>();

/** Every command has the global options, so that they also work after a subcommand. */
export function addGlobalOptions(command: Command): void {
  for (const [flags, description] of Object.values(globalOptions)) {
    const option = new Option(flags, description);
    made.add(option);
    command.addOption(option);
  }
}

/** Only the root's help lists global options. */
export function isGlobal(option: Option): boolean {
  return made.has(option);
}

/** The global options as typed. If one is repeated, the last counts. */
export function globalFlags(root: CommandUnknownOpts): Flags {
  const commands = listCommandTree(root);
  const typed = (key: keyof Flags) =>
    commands
      .filter((command) => command.getOptionValueSource(key) === 'cli')
      .map((command): unknown => command.getOptionValue(key));
  const flags: { -readonly [Key in keyof Flags]: Flags[Key] } = {
    headers: !typed('headers').includes(false),
  };
  // A command's own option may have the same key and another type, such as --no-profile of serve.
  for (const key of textFlags) flags[key] = typed(key).findLast((value) => typeof value === 'string');
  for (const key of switchFlags) flags[key] = typed(key).includes(true);
  return flags;
}

/** Reads a line that failed to parse: global options decide how to print the error. */
export function readGlobalFlags(args: readonly string[]): Flags {
  const reader = new Command().exitOverride().configureOutput({ outputError: () => undefined });
  addGlobalOptions(reader);
  try {
    reader.parseOptions([...args]);
  } catch (error) {
    // The last option lacks its value; earlier ones have been read.
    if (!(error instanceof CommanderError)) throw error;
  }
  return globalFlags(reader);
}

function listCommandTree(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return [command, ...command.commands.flatMap(listCommandTree)];
}

const choices: Readonly<Record<string, readonly string[]>> = {
  '--auth': authModes,
  '--output': outputChoices,
  '--color': colorModes,
};

export function listChoices({ argChoices, long }: Option): readonly string[] | undefined {
  return argChoices ?? choices[long ?? ''];
}
