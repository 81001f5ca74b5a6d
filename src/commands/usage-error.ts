import type { CommanderError, CommandUnknownOpts } from '@commander-js/extra-typings';
import { UsageError } from '../errors.js';
import { chosenCommand, commandLineOf } from './lazy-command.js';

/** What the parser threw, as an error of the product. The hint is a command or a nearer word. */
export function usageErrorOf(error: CommanderError, root: CommandUnknownOpts): UsageError {
  const command = chosenCommand(root);
  const line = commandLineOf(command);
  if (error.code === 'commander.help') {
    return new UsageError(`${line}: the subcommand is missing`, { hint: subcommandsOf(command) });
  }
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n(');
  // The parser repeats a whole --secret=…, and there is never an option that takes one.
  const withoutValue = message.replace(/^(unknown option '--[^=']*)=.*'$/s, "$1'");
  return new UsageError(withoutValue, { hint: hintFor(error, message, suggestion, command) });
}

function hintFor(
  { code }: CommanderError,
  message: string,
  suggestion: string | undefined,
  command: CommandUnknownOpts,
): string {
  if (/^unknown option '--?(secret|password)\b/.test(message)) {
    return `secrets are never arguments, where every user of the machine can read them: ${sourcesOfSecret(command)}`;
  }
  const known = otherTools.find(([pattern]) => pattern.test(message))?.[1];
  if (known !== undefined) return known(commandLineOf(command));
  if (suggestion !== undefined) return suggestion.replace(/^Did/, 'did').replace(/\)$/, '');
  if (code === 'commander.unknownCommand') return subcommandsOf(command);
  return `usage: ${command.createHelp().commandUsage(command)}; more: ${commandLineOf(command)} --help`;
}

/** What people type who know other tools, and what it is here. */
const otherTools: readonly (readonly [RegExp, (line: string) => string])[] = [
  [/^unknown command 'version'$/, () => 'orgctl --version'],
  [/^unknown command 'help'$/, (line) => `${line} --help`],
  [/^unknown option '--json'$/, () => 'JSON is -o json'],
];

/** How this command takes a secret, where it takes one beside that of the API key. */
function sourcesOfSecret({ options }: CommandUnknownOpts): string {
  const own = options.filter(({ long }) => /^--(secret|password)-(stdin|env)$/.test(long ?? ''));
  if (own.length === 0) return 'set ORGCTL_SECRET, or keep one with orgctl profile add';
  return `${own.map(({ flags }) => flags).join(' or ')}; on a terminal it is asked for`;
}

/** Which subcommands there are, and where to read more. */
function subcommandsOf(command: CommandUnknownOpts): string {
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((child) => child.name());
  return `one of ${names.join(', ')}; more: ${commandLineOf(command)} --help`;
}
