/** What differs from run to run, and its place in a transcript; `#` is numbered. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/(?:\b|(?<=\\e\[\d+G))([a-z]{2,8})_(?!0{32})[0-9a-f]{8,}\b/g, '$1_#'],
  [/\b[0-9A-Za-z]{64}\b/g, 'CHARACTERS_#'],
  [/\b\d+(?:\.\d+)? ms(?=: )/g, 'N ms'],
  [/(?<=#t=)[\w-]{43}/g, 'LINK'],
  [/(?<=\bprocess )\d+\b/g, 'PID'],
  [/(?<=(?<!-)\bport )\d{4,5}\b/g, 'PORT'],
  [/\b(?=\d*[a-f])[0-9a-f]{16}\b/g, 'FINGERPRINT_#'],
  [/\b\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z/g, 'TIME'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?/g, 'TIME'],
  [/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\b/g, 'TIME'],
  [/\b\d\d:\d\d:\d\d(?:\.\d+)?\b/g, 'TIME'],
  [/\b1(?:79|[89]\d)\d{7}\b/g, 'SECONDS'],
  [/(?<=\\n)1(?:79|[89]\d)\d{7}(?=\\+n)/g, 'SECONDS'],
  [/\b\d+(?:\.\d+)? ?ms\b(?= *(?:$|[)·,]))/g, 'N ms'],
  [/\b(127\.0\.0\.1|localhost|\[::1\]):\d{4,5}\b/g, '$1:PORT'],
  [/(?<=\borgctl[/ ])\d+\.\d+\.\d+\b/g, 'VERSION'],
  [/(?<=\bpid"?:? +)\d+\b/gi, 'PID'],
  [/…[0-9A-Za-z]{4}\b/g, '…LAST'],
];

/** Replaces changing values by names, the same value always by the same name, and puts the values of names back. */
export function stableNames(fixed: Readonly<Record<string, string>>): {
  replace(line: string): string;
  restore(line: string): string;
} {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const nameOf = (value: string, kind: string): string => {
    if (!kind.endsWith('#')) return kind;
    const known = names.get(value);
    if (known !== undefined) return known;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    names.set(value, `${kind}${count}`);
    return `${kind}${count}`;
  };
  return {
    replace(line) {
      let text = line.replaceAll('\u001b', '\\e').replaceAll('\r', '\\r');
      const put = (value: string, name: string): void => {
        // In a table the columns stay where they are.
        text = text.replaceAll(`${value}  `, `${name.padEnd(value.length)}  `).replaceAll(value, name);
      };
      for (const [value, name] of Object.entries(fixed)) put(value, name);
      for (const [pattern, kind] of changing)
        for (const [value, group] of text.matchAll(pattern))
          put(value, nameOf(value, kind.replace('$1', String(group))));
      return text;
    },
    restore(line) {
      const put = (text: string, [value, name]: readonly [string, string]) => text.replaceAll(name, value);
      return Object.entries(fixed)
        .reduce(put, line)
        .replace(/\b\w+_#\d+/g, (name) => [...names].find(([, known]) => known === name)?.[0] ?? name);
    },
  };
}
