export type Glob = (text: string) => boolean;

/** `*` matches any text. Not by a regular expression, which would try every way to divide the text. */
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
