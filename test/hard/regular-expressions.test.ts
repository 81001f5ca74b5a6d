import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'rolldown/utils';
import { describe, expect, it } from 'vitest';
import { growthComplaint } from '../support/cpu-growth.js';

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

async function complaintAbout(expression: RegExp): Promise<string | undefined> {
  for (const shape of shapesFor(expression)) {
    const complaint = await growthComplaint((text) => text.replace(expression, ''), shape);
    if (complaint !== undefined) return `${expression}: ${complaint} of ${JSON.stringify(shape(24))}…`;
  }
  return undefined;
}

describe('every regular expression in the sources', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );

  it('takes time that grows as the text does, whatever the text', async () => {
    const expressions = files.flatMap(expressionsIn);
    expect(expressions.length).toBeGreaterThan(50);
    const complaints = [];
    for (const expression of expressions) complaints.push(await complaintAbout(expression));
    expect(complaints.filter((complaint) => complaint !== undefined)).toEqual([]);
  });

  // These were in the sources once.
  it.each([/(?<=[?&])([^=&]*)=[^&]*/g, /^application\/json\s*(;\s*charset="?(utf-8|us-ascii)"?\s*)?;?\s*$/i])(
    'would be noticed: %s',
    async (expression) => {
      expect(await complaintAbout(expression)).toContain('ms of CPU');
    },
  );
});
