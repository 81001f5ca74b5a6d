import { Command, type CommanderError } from '@commander-js/extra-typings';
import { mount } from './commands/lazy-command.js';
import { registry } from './commands/registry.js';
import type { Context } from './context.js';
import { UsageError } from './errors.js';
import { version } from './version.js';

/** The root command: global options, groups and the commands' names. Nothing of a command is loaded before it is typed. */
export function createProgram(context: Context) {
  const program = withGlobalOptions(new Command('orgctl'));
  program
    .description("Administer an organization's API keys, database connections, teams and quotas.")
    .usage('<command> [options]')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .configureHelp({ helpWidth: context.streams.stdout.columns ?? 100 })
    .configureOutput({
      writeOut: (text) => void context.streams.stdout.write(text),
      // Errors are reported once, in the style that was asked for; so neither they nor help in their place go out here.
      writeErr: () => undefined,
      outputError: () => undefined,
    })
    .addHelpText('afterAll', ({ command }) => (command === program ? examples : globalsNote))
    .exitOverride();
  mount(program, registry, context);
  return program;
}

const examples = `
Examples:
  # the whole service on this machine; then, in another terminal, its quotas
  orgctl serve
  orgctl quotas
  # a service elsewhere
  orgctl profile add prod --base-url https://api.example.com --key-id key_abc`;

const globalsNote = '\nGlobal options, such as --profile and --output: orgctl --help';

// Values stay text here: one validator per setting serves flag, environment and profile alike.
function withGlobalOptions(program: Command) {
  return program
    .option('-p, --profile <name>', 'stored profile; default: the current one')
    .option('--base-url <url>', 'address of the service; https, or http to this machine')
    .option('--key-id <id>', 'API key ID; its secret comes from ORGCTL_SECRET or the profile')
    .option('--auth <mode>', 'hmac (default) or basic')
    .option('--ca-file <path>', "PEM file of CAs trusted in addition to the system's")
    .option('--allow-host', "use the profile's secret with a --base-url elsewhere")
    .option('-o, --output <format>', 'table (default), json, jsonl, yaml or csv')
    .option('--query <jmespath>', 'filter the JSON value before printing; implies -o json')
    .option('--columns <a,b,c>', 'columns of table and csv; dotted paths allowed')
    .option('--timeout <duration>', 'for one attempt, default 30s')
    .option('--deadline <duration>', 'for all attempts and waits together, default 2m')
    .option('--retries <n>', 'further attempts after the first, default 3')
    .option('--color <when>', 'auto (default), always or never')
    .option('-q, --quiet', 'no progress and notes on stderr')
    .option('-v, --verbose', 'trace requests on stderr, secrets masked');
}

/**
 * What the parser threw, as an error of the product; `undefined` where it only wanted to end, after help or version.
 * Its suggestion for a mistyped word becomes the hint.
 */
export function usageErrorOf(error: CommanderError): UsageError | undefined {
  if (error.exitCode === 0) return undefined;
  if (error.code === 'commander.help') {
    return new UsageError('the subcommand is missing', { hint: 'add --help to see which there are' });
  }
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const hint =
    suggestion?.replace(/^\((.*)\)$/, '$1') ?? 'orgctl --help lists the commands, and each has --help';
  return new UsageError(message, { hint, cause: error });
}
