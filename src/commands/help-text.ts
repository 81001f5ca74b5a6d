import type { Command } from '@commander-js/extra-typings';

/** One example: the command, and what it does in a few words. */
export type Example = readonly [command: string, what: string];

/** Adds the examples that every command's help ends with. */
export function withExamples<Args extends unknown[], Options extends Record<string, unknown>>(
  command: Command<Args, Options>,
  examples: readonly Example[],
): Command<Args, Options> {
  const lines = examples.map(([line, what]) => `  # ${what}\n  ${line}`);
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

/** Marks what the API reference does not describe, in the contract's words. */
export const notInReference = '(not described by the API reference)';
