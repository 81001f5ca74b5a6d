/** Whether a text fits a pattern in which `*` stands for any characters. */
export type Glob = (text: string) => boolean;

/**
 * Reads a pattern. Its pieces are looked for from left to right, each behind the one before: a regular expression tries
 * every way to divide a text among its stars, and the text may be anybody's choice.
 */
export function glob(pattern: string): Glob {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return (text) => text === first;
  return (text) => {
    if (!text.startsWith(first)) return false;
    let at = first.length;
    for (const piece of rest) {
      const found = text.indexOf(piece, at);
      if (found === -1) return false;
      at = found + piece.length;
    }
    return text.length - at >= last.length && text.endsWith(last);
  };
}
