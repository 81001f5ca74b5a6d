import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/** What could stand in the place of a word that is being typed. */
export interface Candidate {
  readonly value: string;
  /** What it means, for shells that show it. */
  readonly description?: string | undefined;
}

/** The subcommands that help lists. */
export function subcommandsOf(command: CommandUnknownOpts): Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((child) => ({ value: child.name(), description: child.summary() }));
}
