import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'rolldown/utils';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('../../src', import.meta.url));

/** The regular expressions that a file writes as literals. */
function expressionsIn(path: string): RegExp[] {
  const found: RegExp[] = [];
  const { program } = parseSync(path, readFileSync(join(src, path), 'utf8'));
  new Visitor({
    Literal(node) {
      if ('regex' in node) found.push(new RegExp(node.regex.pattern, node.regex.flags));
    },
  }).visit(program);
  return found;
}

/** What an expression begins with as it stands: without it nothing further in it is ever tried. */
function literalBeginning(source: string): string {
  const [, beginning = ''] = /^\^?((?:[\w:;, "'-]|\\[^\w])*)/.exec(source) ?? [];
  return beginning.replaceAll('\\', '');
}

/** Long texts out of the characters that an expression knows, each with an end that it may stumble over. */
function shapesFor({ source }: RegExp): ((length: number) => string)[] {
  const known = [...new Set(source.replace(/\\[a-z]|\[\^|[()|^$+*?{}[\]\\]/gi, ''))].slice(0, 10);
  const characters = [...new Set([...known, ...' a0/?=&:"\'\\%-'])];
  const units = [
    ...characters,
    ...known.flatMap((one, at) => known.slice(at + 1, at + 4).map((other) => one + other)),
  ];
  const beginnings = ['', 'a:', '?a=', literalBeginning(source)];
  return [...new Set(beginnings)].flatMap((beginning) =>
    units.map(
      (unit) => (length: number) => `${beginning}${unit.repeat((length - beginning.length) / unit.length)}\0`,
    ),
  );
}

function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * A complaint if CPU time grows much faster than the text. For one that is 4 times as long, linear work takes 4 times as
 * long and quadratic work 16 times; below 100 ms one garbage collection could decide.
 */
function complaintAbout(expression: RegExp): string | undefined {
  for (const shape of shapesFor(expression))
    for (const length of [4096, 8192, 16_384, 32_768]) {
      const least = (text: string, times: number) =>
        Math.min(...Array.from({ length: times }, () => cpuOf(() => text.replace(expression, ''))));
      const [short, long] = [shape(length / 4), shape(length)];
      if (least(long, 1) < 100) continue;
      const [small, large] = [least(short, 3), least(long, 3)];
      if (large < 100 || large < 9 * small) continue;
      return `${expression}: ${small} ms of CPU, then ${large}, of ${JSON.stringify(shape(24))}…`;
    }
  return undefined;
}

describe('every regular expression in the sources', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );

  it('takes time that grows as the text does, whatever the text', () => {
    const expressions = files.flatMap(expressionsIn);
    expect(expressions.length).toBeGreaterThan(50);
    expect(expressions.flatMap((expression) => complaintAbout(expression) ?? [])).toEqual([]);
  });

  // These were in the sources once.
  it.each([/(?<=[?&])([^=&]*)=[^&]*/g, /^application\/json\s*(;\s*charset="?(utf-8|us-ascii)"?\s*)?;?\s*$/i])(
    'would be noticed: %s',
    (expression) => {
      expect(complaintAbout(expression)).toContain('ms of CPU');
    },
  );
});
