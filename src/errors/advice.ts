import { quoteIfNeeded } from '../text/shell-quote.js';

/** The next step for the user: a sentence, and a command that belongs to it. */
export interface Advice {
  /** Printed in front of the command; without a command, all that is printed. */
  readonly hint?: string | undefined;
  /** The words of a command, which is printed with the options of the target. They never contain a secret. */
  readonly next?: readonly string[] | undefined;
}

/** Adds options to a command that is shown to users. */
export type AddOptions = (words: readonly string[]) => readonly string[];

/** A word in a command that users replace. */
const placeholder = /^(?:COMMAND|DIR|FILE|ID|KEY_ID|MODE|NAME|NEW_NAME|URL)$/;

/** The command as `next`, unless it has a placeholder. */
export function toNext(words: readonly string[]): readonly string[] | undefined {
  return words.some((word) => placeholder.test(word)) ? undefined : words;
}

export function hintText(hint: string | undefined, next: readonly string[]): string {
  return hint === undefined ? formatCommand(next) : `${hint}: ${formatCommand(next)}`;
}

function formatCommand(words: readonly string[]): string {
  return words.map(quoteIfNeeded).join(' ');
}

/** IDs or names as the last words of a command; after `--` if one begins with a hyphen. */
export function toOperands(...texts: readonly string[]): readonly string[] {
  return texts.some((text) => text.startsWith('-')) ? ['--', ...texts] : texts;
}

export const whoamiCommand = ['orgctl', 'whoami'] as const;
export const doctorCommand = ['orgctl', 'doctor'] as const;
export const quotasCommand = ['orgctl', 'quotas'] as const;
export const probeCommand = ['orgctl', 'probe'] as const;

/** With {@link probeCommand}, for a response that orgctl cannot read. */
export const unknownFormHint = 'describe this service with a dialect; to see how it responds';
