import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A fault that could be made in the sources, and the tests that are to notice it. */
export interface Fault {
  /** The file that it is written in. */
  readonly area: string;
  readonly name: string;
  /** What the sources have once, wherever it is. */
  readonly find: string;
  readonly replace: string;
  /** Files of tests, by how their paths begin. */
  readonly tests: readonly string[];
}

/**
 * Reads faults from text: blocks with blank lines between them. `@@ TESTS` names the tests of those below it; each other block
 * is a fault's name and, as in a diff, the lines that stay, go and come. The first may begin, and the last end, within a line.
 */
export function parseFaults(text: string, area: string): Fault[] {
  let tests: readonly string[] = [];
  return text
    .trim()
    .split(/\n{2,}/)
    .flatMap((block) => {
      if (!block.startsWith('@@ ')) return { area, tests, ...parseFault(block) };
      tests = block.slice(3).split(' ');
      return [];
    });
}

function parseFault(block: string): Pick<Fault, 'name' | 'find' | 'replace'> {
  const [name = '', ...lines] = block.split('\n');
  const read = (signs: string) =>
    lines
      .filter((line) => signs.includes(line.charAt(0)))
      .map((line) => line.slice(1))
      .join('\n');
  return { name, find: read(' -'), replace: read(' +') };
}

/** Each was once in the sources, or could have been, without a test that failed. */
export const faults: readonly Fault[] = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.diff'))
  .flatMap((file) =>
    parseFaults(readFileSync(join(import.meta.dirname, file), 'utf8'), basename(file, '.diff')),
  );
