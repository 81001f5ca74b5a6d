/** A command line as a shell reads it: quotes, `$NAME` outside single quotes, and `NAME=value` in front. */
export function splitWords(
  line: string,
  env: Readonly<Record<string, string | undefined>>,
): { readonly words: readonly string[]; readonly variables: Readonly<Record<string, string | undefined>> } {
  const expand = (text: string) => text.replace(/\$(\w+)/g, (_all, name) => env[name] ?? '');
  const words = [...line.matchAll(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/g)].map(([word]) =>
    word.replace(
      /'([^']*)'|"([^"]*)"|\\(.)|([^'"\\]+)/g,
      (_all, single, double, escaped, bare) => single ?? escaped ?? expand(double ?? bare),
    ),
  );
  const isAssignment = (word: string) => /^[A-Za-z_]\w*=/.test(word);
  const first = words.findIndex((word) => !isAssignment(word));
  const assigned = words.slice(0, first).map((word): [string, string | undefined] => {
    const at = word.indexOf('=');
    // An empty value unsets, so that a setting can be left out.
    return [word.slice(0, at), word.slice(at + 1) || undefined];
  });
  return { words: words.slice(first), variables: Object.fromEntries(assigned) };
}

/** Arguments without `> FILE` at their end. */
export function redirectionOf(words: readonly string[]): {
  readonly args: readonly string[];
  readonly output?: string | undefined;
} {
  return words.at(-2) === '>' ? { args: words.slice(0, -2), output: words.at(-1) } : { args: words };
}
