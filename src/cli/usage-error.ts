import type { CommanderError, CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Advice } from '../errors/advice.js';
import { UsageError } from '../errors/errors.js';
import { chosenCommand, namesHelp, toCommandLine } from './lazy-command.js';

/** The parser's own message with a hint. Values of unknown options are cut off, because they may be secrets. */
export function toUsageError(error: CommanderError, root: CommandUnknownOpts): UsageError {
  const command = chosenCommand(root);
  if (error.code === 'commander.help') {
    return new UsageError(`${toCommandLine(command)}: the subcommand is missing`, listVerbs(command));
  }
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const isUnknown = error.code === 'commander.unknownOption';
  const shown = isUnknown && message.includes('=') ? `${message.slice(0, message.indexOf('='))}'` : message;
  if (isUnknown && /^unknown option '--?(?:secret|password)\b/.test(shown)) {
    return new UsageError(shown, { hint: secretHint(command) });
  }
  return new UsageError(
    shown,
    suggestion === undefined ? adviseUsage(error, command) : adviseNear(suggestion, command),
  );
}

/** Commander's suggestion, unless a mistyped word must not become this command. */
function adviseNear(suggestion: string, command: CommandUnknownOpts): Advice {
  const mayHarm = /\b(?:delete|remove|rm|revoke|reset|restore|disable|stop|rotate|prune|force|yes)\b/.test(
    suggestion,
  );
  const text = suggestion.replace(/^\(D(.*)\)$/, 'd$1');
  return mayHarm ? { hint: 'see the usage', next: namesHelp(command) } : { hint: text };
}

function adviseUsage({ code }: CommanderError, command: CommandUnknownOpts): Advice {
  if (code === 'commander.unknownCommand') return listVerbs(command);
  return { hint: `usage: ${command.createHelp().commandUsage(command)}; more`, next: namesHelp(command) };
}

function listVerbs(command: CommandUnknownOpts): Advice {
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((child) => child.name());
  return { hint: `one of ${names.join(', ')}; more`, next: namesHelp(command) };
}

function secretHint({ options }: CommandUnknownOpts): string {
  const own = options.filter(({ long }) => /^--(?:secret|password)-(?:stdin|env)$/.test(long ?? ''));
  const sources =
    own.length === 0
      ? 'set ORGCTL_SECRET or ORGCTL_SECRET_FILE, or store one with orgctl profile add'
      : `${own.map(({ flags }) => flags).join(' or ')}; on a terminal orgctl asks for it`;
  return `secrets are never passed as arguments, which every user of the machine can read: ${sources}`;
}
