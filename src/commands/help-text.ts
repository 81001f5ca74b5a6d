import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings';
import type { ErrorCode } from '../errors.js';

/** One example: the command, and what it does in a few words. */
export type Example = readonly [command: string, what: string];

/** What a command does beyond what its arguments and options tell; absent where it does not. */
export interface Facts {
  /** Whom it asks, on which most of its exit codes depend: the service, or the control API of a server here. */
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
 * Adds the examples that every command's help ends with; and what else its description for machines and its man page say,
 * for whoever asks {@link explanationOf}.
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
