import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Context } from './context.js';
import { addGlobalOptions } from './global-options.js';

/** Fills in a command's arguments, options, help and action. */
export type Define = (command: Command, context: Context) => void;

/** A command as its parent lists it; the rest is loaded when the command is typed. */
export interface LazyCommand {
  readonly name: string;
  /** One line in the parent's list. */
  readonly summary: string;
  /** Heading under which the root command lists it. */
  readonly group?: string;
  /** For programs only, or only there to say where else something is done: not listed. */
  readonly hidden?: boolean;
  readonly load: () => Promise<Define>;
}

const loaders = new WeakMap<CommandUnknownOpts, () => Promise<void>>();

/**
 * Mounts commands under a parent by name and summary only. Commander calls the hook before it parses the chosen
 * command, whose file is then loaded: no other command's code is read.
 */
export function mount(parent: Command, commands: readonly LazyCommand[], context: Context): void {
  for (const { name, summary, group, hidden = false, load } of commands) {
    const child = parent.command(name, { hidden }).summary(summary).helpCommand(false);
    if (group !== undefined) child.helpGroup(group);
    loaders.set(child, async () => {
      (await load())(child, context);
      addGlobalOptions(child);
    });
  }
  parent.usage('[options] <command>');
  parent.hook('preSubcommand', (_parent, chosen) => complete(chosen));
}

/** Loads and fills in a mounted command, once. */
async function complete(command: CommandUnknownOpts): Promise<void> {
  const load = loaders.get(command);
  loaders.delete(command);
  await load?.();
}

/** The subcommand of that name, loaded; `undefined` when there is none. */
export async function subcommand(
  parent: CommandUnknownOpts,
  name: string,
): Promise<CommandUnknownOpts | undefined> {
  const child = parent.commands.find((command) => command.name() === name);
  if (child !== undefined) await complete(child);
  return child;
}

/** The typed command, as far as it was parsed: the deepest one that was loaded. */
export function chosenCommand(root: CommandUnknownOpts): CommandUnknownOpts {
  const child = root.commands.find((command) => !loaders.has(command));
  return child === undefined ? root : chosenCommand(child);
}

/** The words that call a command, such as `orgctl connections list`. */
export function commandLineOf(command: CommandUnknownOpts): string {
  const above = command.parent === null ? '' : `${commandLineOf(command.parent)} `;
  return `${above}${command.name()}`;
}
