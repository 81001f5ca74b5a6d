import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../context.js';

/** Fills in a command's arguments, options, help and action. */
export type Define = (command: Command, context: Context) => void;

/** A command as its parent lists it; the rest is loaded when it is the one that was typed. */
export interface LazyCommand {
  readonly name: string;
  /** One line in the parent's list. */
  readonly summary: string;
  /** Heading under which the root command lists it. */
  readonly group?: string;
  readonly load: () => Promise<Define>;
}

/**
 * Mounts commands under a parent by name and summary alone. Commander calls the hook before it parses for the chosen
 * one, and that is when its file is loaded: no other command's code is ever read.
 */
export function mount(parent: Command, commands: readonly LazyCommand[], context: Context): void {
  const mounted = new Map(
    commands.map((entry) => {
      const child = parent.command(entry.name).summary(entry.summary).helpCommand(false);
      if (entry.group !== undefined) child.helpGroup(entry.group);
      return [entry.name, { child, load: entry.load }];
    }),
  );
  parent.hook('preSubcommand', async (_parent, chosen) => {
    const entry = mounted.get(chosen.name());
    if (entry !== undefined) (await entry.load())(entry.child, context);
  });
}
