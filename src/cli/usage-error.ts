import type { CommanderError, CommandUnknownOpts } from '@commander-js/extra-typings';
import { type Advice, advise, UsageError } from '../errors/errors.js';
import { chosenCommand, commandLineOf } from './lazy-command.js';

/** Translates a parser error. The hint is a command or a similar word. */
export function usageErrorOf(error: CommanderError, root: CommandUnknownOpts): UsageError {
  const command = chosenCommand(root);
  const line = commandLineOf(command);
  if (error.code === 'commander.help') {
    return new UsageError(`${line}: the subcommand is missing`, subcommandsOf(command));
  }
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n(');
  // The parser repeats a whole --secret=…, which no command accepts.
  const withoutValue = message.replace(/^(unknown option '--[^=']*)=.*'$/s, "$1'");
  return new UsageError(withoutValue, adviceFor(error, message, suggestion, command));
}

function adviceFor(
  { code }: CommanderError,
  message: string,
  suggestion: string | undefined,
  command: CommandUnknownOpts,
): Advice {
  if (/^unknown option '--?(secret|password)\b/.test(message)) {
    const sources = sourcesOfSecret(command);
    return {
      hint: `secrets are never passed as arguments, which every user of the machine can read: ${sources}`,
    };
  }
  const known = otherTools.find(([pattern]) => pattern.test(message))?.[1];
  if (known !== undefined) return known(command);
  if (suggestion !== undefined) return { hint: suggestion.replace(/^Did/, 'did').replace(/\)$/, '') };
  if (code === 'commander.unknownCommand') return subcommandsOf(command);
  const usage = command.createHelp().commandUsage(command);
  return advise(helpOf(command), (more) => `usage: ${usage}; more: ${more}`);
}

/** Habits from other tools, and the orgctl equivalent. */
const otherTools: readonly (readonly [RegExp, (command: CommandUnknownOpts) => Advice])[] = [
  [/^unknown command 'version'$/, () => advise(['orgctl', '--version'])],
  [/^unknown command 'help'$/, (command) => advise(helpOf(command))],
  [/^unknown option '--json'$/, () => ({ hint: 'JSON is -o json' })],
];

/** How this command takes a secret besides the API key's. */
function sourcesOfSecret({ options }: CommandUnknownOpts): string {
  const own = options.filter(({ long }) => /^--(secret|password)-(stdin|env)$/.test(long ?? ''));
  if (own.length === 0) return 'set ORGCTL_SECRET, or store one with orgctl profile add';
  return `${own.map(({ flags }) => flags).join(' or ')}; on a terminal orgctl asks for it`;
}

function subcommandsOf(command: CommandUnknownOpts): Advice {
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((child) => child.name());
  return advise(helpOf(command), (more) => `one of ${names.join(', ')}; more: ${more}`);
}

function helpOf(command: CommandUnknownOpts): string[] {
  return [...commandLineOf(command).split(' '), '--help'];
}
