/** Whether a path fits a pattern in which `*` stands for any characters. */
export type PathPattern = (path: string) => boolean;

/**
 * Reads a pattern. Its pieces are looked for from left to right, each behind the one before: a regular expression tries
 * every way to divide a path among its stars, and the path is its sender's choice.
 */
export function pathPattern(pattern: string): PathPattern {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return (path) => path === first;
  return (path) => {
    if (!path.startsWith(first)) return false;
    let at = first.length;
    for (const piece of rest) {
      const found = path.indexOf(piece, at);
      if (found === -1) return false;
      at = found + piece.length;
    }
    return path.length - at >= last.length && path.endsWith(last);
  };
}
