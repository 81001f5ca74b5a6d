import type { Command, CommanderError, CommandUnknownOpts } from '@commander-js/extra-typings';
import { UsageError } from '../errors/errors.js';
import type { Context } from './context.js';
import { addGlobalOptions } from './global-options.js';

export type Define = (command: Command, context: Context) => void;

/** A command as its parent lists it. */
export interface LazyCommand {
  readonly name: string;
  readonly summary: string;
  readonly group?: string | undefined;
  /** Omitted from help: for programs, or only a pointer to another command. */
  readonly hidden?: boolean;
  readonly load: () => Promise<Define>;
}

/** Aliases of verbs, as other tools name them. */
const shortNames = new Map(Object.entries({ list: 'ls', delete: 'rm', remove: 'rm' }));

const commandLoaders = new WeakMap<CommandUnknownOpts, () => Promise<void>>();

/** Adds subcommands; only the chosen one's file is loaded. */
export function mountCommands(parent: Command, commands: readonly LazyCommand[], context: Context): void {
  for (const { name, summary, group, hidden = false, load } of commands) {
    const child = parent.command(name, { hidden }).summary(summary).helpCommand(false);
    if (group !== undefined) child.helpGroup(group);
    const alias = shortNames.get(name);
    if (alias !== undefined) child.alias(alias);
    commandLoaders.set(child, async () => {
      (await load())(child, context);
      addGlobalOptions(child);
    });
  }
  parent.usage('[options] <command>');
  parent.hook('preSubcommand', (_parent, chosen) => completeCommand(chosen));
}

async function completeCommand(command: CommandUnknownOpts): Promise<void> {
  const load = commandLoaders.get(command);
  commandLoaders.delete(command);
  await load?.();
}

export async function subcommand(
  parent: CommandUnknownOpts,
  name: string,
): Promise<CommandUnknownOpts | undefined> {
  const child = parent.commands.find(
    (command) => command.name() === name || command.aliases().includes(name),
  );
  if (child !== undefined) await completeCommand(child);
  return child;
}

/** The command that was typed, or its last recognized parent. */
export function chosenCommand(root: CommandUnknownOpts): CommandUnknownOpts {
  const child = root.commands.find((command) => !commandLoaders.has(command));
  return child === undefined ? root : chosenCommand(child);
}

export function toCommandLine(command: CommandUnknownOpts): string {
  const above = command.parent === null ? '' : `${toCommandLine(command.parent)} `;
  return `${above}${command.name()}`;
}

/** Harmful commands, never suggested for a mistyped word. */
const harmful = /\b(?:delete|remove|rm|revoke|reset|restore|disable|stop|rotate|prune|force|yes)\b/;

/** The parser's own message with a hint. Values of unknown options are cut off, because they may be secrets. */
export function toUsageError({ code, message: said }: CommanderError, root: CommandUnknownOpts): UsageError {
  const command = chosenCommand(root);
  const line = toCommandLine(command);
  const next = [...line.split(' '), '--help'];
  const [message = '', suggestion = ''] = said.replace(/^error: /, '').split('\n');
  const shown = code === 'commander.unknownOption' ? message.replace(/=.*/s, "'") : message;
  if (suggestion !== '' && !harmful.test(suggestion))
    return new UsageError(shown, { hint: suggestion.replace(/^\(D(.*)\)$/, 'd$1') });
  const helper = command.createHelp();
  if (code !== 'commander.help' && code !== 'commander.unknownCommand')
    return new UsageError(shown, { hint: `usage: ${helper.commandUsage(command)}; more`, next });
  const what = code === 'commander.help' ? `${line}: the subcommand is missing` : message;
  const verbs = helper.visibleCommands(command).map((child) => child.name());
  return new UsageError(what, { hint: `one of ${verbs.join(', ')}; more`, next });
}
