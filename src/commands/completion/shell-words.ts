/**
 * The words of a command line that is being typed, by the quoting rules of a POSIX shell. The last one is the word at
 * the cursor: empty after a space, and whatever is there of a quotation that is still open.
 */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [part] of line.matchAll(/\s+|'[^']*'?|"(?:\\.|[^"\\])*"?|\\.?|[^\s'"\\]+/gs)) {
    if (/^\s/.test(part)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = `${word ?? ''}${unquoted(part)}`;
    }
  }
  return [...words, word ?? ''];
}

function unquoted(part: string): string {
  if (part.startsWith("'")) return part.replaceAll("'", '');
  if (part.startsWith('"')) return part.replace(/^"|(?<!\\)"$/g, '').replace(/\\(["\\$`])/g, '$1');
  return part.replace(/^\\/, '');
}
