import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Context } from './context.js';
import { addGlobalOptions } from './global-options.js';

export type Define = (command: Command, context: Context) => void;

/** A command as its parent lists it; the rest loads when typed. */
export interface LazyCommand {
  readonly name: string;
  readonly summary: string;
  /** Heading under which the root command lists it. */
  readonly group?: string;
  /** Not listed: for programs, or only a pointer to where to do something. */
  readonly hidden?: boolean;
  readonly load: () => Promise<Define>;
}

const loaders = new WeakMap<CommandUnknownOpts, () => Promise<void>>();

/** Mounts commands by name and summary. Commander's hook loads only the chosen command's file. */
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

/** Loads a mounted command, once. */
async function complete(command: CommandUnknownOpts): Promise<void> {
  const load = loaders.get(command);
  loaders.delete(command);
  await load?.();
}

export async function subcommand(
  parent: CommandUnknownOpts,
  name: string,
): Promise<CommandUnknownOpts | undefined> {
  const child = parent.commands.find((command) => command.name() === name);
  if (child !== undefined) await complete(child);
  return child;
}

/** The deepest command that was loaded, even if parsing failed. */
export function chosenCommand(root: CommandUnknownOpts): CommandUnknownOpts {
  const child = root.commands.find((command) => !loaders.has(command));
  return child === undefined ? root : chosenCommand(child);
}

/** Such as `orgctl connections list`. */
export function commandLineOf(command: CommandUnknownOpts): string {
  const above = command.parent === null ? '' : `${commandLineOf(command.parent)} `;
  return `${above}${command.name()}`;
}
