import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings';
import type { ErrorCode } from '../errors/errors.js';

/** One example: the command, and what it does in a few words. */
export type Example = readonly [command: string, what: string];

/** Facts about a command that its arguments and options do not show; absent if they do not apply. */
export interface Facts {
  /** What it calls, on which most of its exit codes depend: the service, or the control API of a local server. */
  readonly calls?: 'service' | 'control';
  /** What is not as before when it has run. */
  readonly writes?: readonly ('service' | 'server' | 'data' | 'profiles' | 'files')[];
  /** What it asks for on a terminal, or when. */
  readonly asks?: string;
  /** Exit codes that do not follow from these. */
  readonly exits?: readonly ErrorCode[];
}

interface Explained {
  readonly examples: readonly Example[];
  /** Absent for a command that only groups others. */
  readonly facts?: Facts | undefined;
}

const explained = new WeakMap<CommandUnknownOpts, Explained>();

/**
 * Adds the examples at the end of a command's help, and the facts for its machine-readable description and man page;
 * {@link explanationOf} returns both.
 */
export function withExamples<Args extends unknown[], Options extends Record<string, unknown>>(
  command: Command<Args, Options>,
  examples: readonly Example[],
  facts?: Facts,
): Command<Args, Options> {
  explained.set(command, { examples, facts });
  const lines = examples.map(([line, what]) => `  # ${what}\n  ${line}`);
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

/** The examples and facts that a command was given. */
export function explanationOf(command: CommandUnknownOpts): Explained {
  return explained.get(command) ?? { examples: [] };
}

/** Marks what the API reference does not describe, in the contract's words. */
export const notInReference = '(not described by the API reference)';
