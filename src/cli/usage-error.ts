import type { CommanderError, CommandUnknownOpts } from '@commander-js/extra-typings';
import { UsageError } from '../errors/errors.js';
import { chosenCommand, toCommandLine } from './lazy-command.js';

const secretHint =
  'secrets are never passed as arguments, which every user of the machine can read: set ORGCTL_SECRET or ORGCTL_SECRET_FILE, or see the options for secrets';

/** Changes that a mistyped word must not become. */
const harmful = /\b(?:delete|remove|rm|revoke|reset|restore|disable|stop|rotate|prune|force|yes)\b/;

/** The parser's own message with a hint. Values of unknown options are cut off, because they may be secrets. */
export function toUsageError({ code, message: said }: CommanderError, root: CommandUnknownOpts): UsageError {
  const command = chosenCommand(root);
  const line = toCommandLine(command);
  const next = [...line.split(' '), '--help'];
  const [message = '', suggestion = ''] = said.replace(/^error: /, '').split('\n');
  const helper = command.createHelp();
  if (code === 'commander.help' || (code === 'commander.unknownCommand' && suggestion === '')) {
    const what = code === 'commander.help' ? `${line}: the subcommand is missing` : message;
    const verbs = helper.visibleCommands(command).map((child) => child.name());
    return new UsageError(what, { hint: `one of ${verbs.join(', ')}; more`, next });
  }
  const shown = code === 'commander.unknownOption' ? message.replace(/=.*/s, "'") : message;
  if (/^unknown option '--?(?:secret|password)\b/.test(shown))
    return new UsageError(shown, { hint: secretHint, next });
  if (harmful.test(suggestion)) return new UsageError(shown, { hint: 'see the usage', next });
  if (suggestion !== '') return new UsageError(shown, { hint: suggestion.replace(/^\(D(.*)\)$/, 'd$1') });
  return new UsageError(shown, { hint: `usage: ${helper.commandUsage(command)}; more`, next });
}
