import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { readExplanation } from '../../../src/cli/help-text.js';
import { subcommand, toCommandLine } from '../../../src/cli/lazy-command.js';
import { openContext } from '../../../src/cli/open-context.js';
import { createProgram } from '../../../src/command-line.js';
import { memorySystem } from '../../support/memory-system.js';

export interface FoundCommand {
  /** Such as `orgctl connections list`. */
  readonly line: string;
  readonly words: readonly string[];
  readonly command: CommandUnknownOpts;
  readonly isLeaf: boolean;
  readonly hidden: boolean;
}

/** Every command, loaded; the root first. */
export async function allCommands(): Promise<FoundCommand[]> {
  const context = openContext(memorySystem(), () => ({}));
  try {
    return await withSubcommands(
      createProgram(context, () => undefined),
      false,
    );
  } finally {
    await context.close();
  }
}

async function withSubcommands(command: CommandUnknownOpts, hidden: boolean): Promise<FoundCommand[]> {
  const visible = command.createHelp().visibleCommands(command);
  const below: FoundCommand[] = [];
  for (const { name } of command.commands.map((child) => ({ name: child.name() }))) {
    const child = await subcommand(command, name);
    if (child !== undefined)
      below.push(...(await withSubcommands(child, hidden || !visible.includes(child))));
  }
  const line = toCommandLine(command);
  return [
    {
      line,
      words: line.split(' ').slice(1),
      command,
      isLeaf: command.commands.length === 0 || readExplanation(command).facts !== undefined,
      hidden,
    },
    ...below,
  ];
}
