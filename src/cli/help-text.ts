import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { ErrorCode } from '../errors/errors.js';

export type CommandExample = readonly [command: string, what: string];

/** Facts that arguments and options do not show; absent if they do not apply. */
export interface Facts {
  /** Whether the command calls the service or a server's control API; most exit codes depend on it. */
  readonly calls?: 'service' | 'control';
  readonly writes?: readonly ('service' | 'server' | 'data' | 'profiles' | 'files')[];
  readonly asks?: string;
  /** Exit codes that do not follow from other facts. */
  readonly exits?: readonly ErrorCode[];
}

interface Explained {
  readonly examples: readonly CommandExample[];
  readonly facts?: Facts | undefined;
}

const explained = new WeakMap<CommandUnknownOpts, Explained>();

export function withExamples(
  command: CommandUnknownOpts,
  examples: readonly CommandExample[],
  facts?: Facts,
): void {
  explained.set(command, { examples, facts });
  const lines = examples.map(([line, what]) => `  # ${what}\n  ${line}`);
  command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

export function readExplanation(command: CommandUnknownOpts): Explained {
  return explained.get(command) ?? { examples: [] };
}

/** Ends the description of an option that the API reference lacks. */
export const notInReference = '(not in the API reference; your service may not support it)';

/** Ends the description of a command for a call that the API reference lacks. */
export const ownCommand = 'The API reference does not describe this call, so your service may not have it.';

/** Columns of help in a pipe, and at most on a terminal. */
export const widestHelp = 100;

/** @param columns of the terminal; `undefined` for a pipe */
export function helpWidth(columns: number | undefined): number {
  return Math.min(columns ?? widestHelp, widestHelp);
}

/** The words before a final `--help`, such as `connections create`; empty without arguments. */
export function helpAskedFor(args: readonly string[]): string | undefined {
  if (args.length === 0) return '';
  const words = args.slice(0, -1);
  const isHelp = args.at(-1) === '--help' || args.at(-1) === '-h';
  return isHelp && words.every((word) => /^[a-z][a-z-]*$/.test(word)) ? words.join(' ') : undefined;
}

/** Name of the file with a command's help, which the build writes at full width. */
export function helpFileName(command: string): string {
  return `${['orgctl', ...command.split(' ')].filter((word) => word !== '').join('-')}.txt`;
}
