/** Text of one style. */
export interface ScreenRun {
  readonly text: string;
  /** Names of styles in the recording, such as `red` and `bold`. */
  readonly styles: readonly string[];
}

const styleNames: Readonly<Record<number, string>> = {
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
  34: 'blue',
  35: 'magenta',
  36: 'cyan',
  90: 'dim',
};

/** Lines as a terminal of this width shows them: wrapped, in their styles, without other escape sequences. */
export function readScreen(output: string, columns: number): ScreenRun[][] {
  const lines: ScreenRun[][] = [[]];
  let styles: string[] = [];
  let width = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
  for (const [token] of output.matchAll(/\u001b\[[\d;?]*[A-Za-z]|\n|[^\u001b\r\n]/gu)) {
    if (token.endsWith('m') && token.length > 1) styles = applyStyles(styles, token);
    else if (token === '\n' || width === columns) {
      lines.push([]);
      width = 0;
    }
    if (token === '\n' || token.length > 2) continue;
    append(lines.at(-1) ?? [], token, styles);
    width += 1;
  }
  return lines.at(-1)?.length === 0 ? lines.slice(0, -1) : lines;
}

function append(line: ScreenRun[], text: string, styles: readonly string[]): void {
  const last = line.at(-1);
  if (last?.styles.join() === styles.join()) line[line.length - 1] = { text: last.text + text, styles };
  else line.push({ text, styles });
}

function applyStyles(before: readonly string[], sequence: string): string[] {
  let styles = [...before];
  for (const code of sequence.slice(2, -1).split(';').map(Number)) {
    const name = styleNames[code];
    if (code === 0) styles = [];
    else if (code === 22) styles = styles.filter((style) => style !== 'bold' && style !== 'dim');
    else if (code === 39) styles = styles.filter((style) => style === 'bold' || style === 'dim');
    else if (name !== undefined) styles.push(name);
  }
  return styles;
}
