/** The next step for the user: a sentence, and a command that belongs to it. */
export interface Advice {
  /** Printed in front of the command; without a command, all that is printed. */
  readonly hint?: string | undefined;
  /** The words of a command, which is printed with the options of the target. They never contain a secret. */
  readonly next?: readonly string[] | undefined;
  /** @internal */
  readonly see?: Subject | undefined;
  /** @internal The hint again, so that the command line can add options to the commands in it. */
  readonly say?: Say | undefined;
}

/** Formats a command for a shell. */
export type FormatCommand = (words: readonly string[]) => string;

/** Text with commands to paste. */
export type Say = (format: FormatCommand) => string;

/** Adds options to a command that is shown to users. */
export type AddOptions = (words: readonly string[]) => readonly string[];

export function sayWith(say: Say, addOptions: AddOptions = (words) => words): string {
  return say((words) => formatCommand(addOptions(words)));
}

/** Advice to run a command, formatted by `say`. For a command with values that are only examples: `adviseText`. */
export function advise(words: readonly string[], say = (command: string): string => command): Advice {
  return { ...adviseText((format) => say(format(words))), next: toNext(words) };
}

/** A word in a command that users replace. */
const placeholder = /^(?:COMMAND|DIR|FILE|ID|KEY_ID|MODE|NAME|NEW_NAME|URL)$/;

/** The command as `next`, unless it has a placeholder. */
export function toNext(words: readonly string[]): readonly string[] | undefined {
  return words.some((word) => placeholder.test(word)) ? undefined : words;
}

/** Advice without `next`, because it has several commands, or one with an example value. */
export function adviseText(say: Say): Advice {
  return { hint: sayWith(say), next: undefined, see: undefined, say };
}

/** A sentence and a command as one line of text. */
export function hintText(hint: string | undefined, next: readonly string[]): string {
  return hint === undefined ? formatCommand(next) : `${hint}: ${formatCommand(next)}`;
}

function formatCommand(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

/** IDs or names as the last words of a command; after `--` if one begins with a hyphen. */
export function toOperands(...texts: readonly string[]): readonly string[] {
  return texts.some((text) => text.startsWith('-')) ? ['--', ...texts] : texts;
}

/** The subject of a library's hint, so that the command line can say more. */
export interface Subject {
  readonly what:
    | 'address'
    | 'answer'
    | 'authority'
    | 'authority-file'
    | 'clock'
    | 'credential'
    | 'damaged-data'
    | 'data-in-use'
    | 'disabled-key'
    | 'master-key'
    | 'quotas'
    | 'read-only'
    | 'resource'
    | 'settings';
  readonly of?: string | undefined;
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
