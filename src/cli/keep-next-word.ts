import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/** Lets an option take its optional value from `--option=value`, or from the next word if that is one of `values`. */
export function keepNextWord(command: CommandUnknownOpts, option: string, values: readonly string[]): void {
  const parseOptions = command.parseOptions.bind(command);
  command.parseOptions = (words) => parseOptions(moveBehindWords(words, option, values));
}

function moveBehindWords(words: readonly string[], option: string, values: readonly string[]): string[] {
  const at = words.indexOf(option);
  const end = words.indexOf('--');
  if (at === -1 || (end !== -1 && end < at) || values.includes(words[at + 1] ?? '')) return [...words];
  const behind = words.findIndex((word, index) => index > at && word.length > 1 && word.startsWith('-'));
  return words.toSpliced(at, 1).toSpliced((behind === -1 ? words.length : behind) - 1, 0, option);
}
