import { resolve } from 'node:path';
import type { Document, LineCounter } from 'yaml';
import { jsonValueOf } from '../../client/json-body.js';
import type { Context } from '../../context.js';
import { messageOf, UsageError } from '../../errors.js';
import type { FirstOrganizationOptions, Seed } from '../../server/index.js';
import type { SeedProblem } from '../../server/seed/schema.js';
import { readInputFile } from '../input-file.js';

/**
 * Reads a seed from a JSON or YAML file.
 * @param options what else is chosen of the first organization: it has to fit together
 * @throws UsageError when it cannot be read or used; its problems name file and line, and repeat no value
 */
export async function readSeedFile(
  path: string,
  options: FirstOrganizationOptions,
  { system }: Pick<Context, 'system'>,
): Promise<Seed> {
  const bytes = await readInputFile(resolve(system.cwd(), path)).catch((error: unknown) => {
    throw new UsageError(`--seed ${path}: ${messageOf(error)}`, { cause: error });
  });
  const text = bytes.toString('utf8');
  // JSON goes first and by itself: of 100,000 connections YAML's parser makes 30 s and 1 GB. It is asked for lines.
  const json = jsonValueOf(bytes);
  const yaml = json === undefined ? await parse(text, path) : undefined;
  const { checkSeed, describeProblem } = await import('../../server/seed/schema.js');
  const checked = checkSeed(yaml === undefined ? json : await seedOf(yaml, path), options);
  if ('seed' in checked) return checked.seed;
  const { document, lines } = yaml ?? (await parse(text, path));
  const problems = checked.problems.map((problem) => ({
    line: lineOf(problem, document, lines),
    text: describeProblem(problem),
  }));
  throw unusable(
    path,
    problems
      .toSorted((one, other) => one.line - other.line)
      .map(({ line, text }) => `${path}:${line}: ${text}`),
  );
}

interface ParsedYaml {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
}

/** JSON is a part of YAML, and one parser knows the lines of both. */
async function parse(text: string, path: string): Promise<ParsedYaml> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  // A tag that nobody knows is only a warning, and most often a value that begins with an exclamation mark.
  const problems = [...document.errors, ...document.warnings].map(({ code, pos }) => {
    const { line } = lines.linePos(pos[0]);
    return `${path}:${line}: not YAML: ${code.toLowerCase().replaceAll('_', ' ')}`;
  });
  if (problems.length > 0) throw unusable(path, problems);
  return { document, lines };
}

async function seedOf({ document, lines }: ParsedYaml, path: string): Promise<unknown> {
  const { keepNumbers } = await import('../yaml-numbers.js');
  const [unsayable] = keepNumbers(document);
  if (unsayable !== undefined) {
    const { line } = lines.linePos(unsayable);
    throw unusable(path, [`${path}:${line}: a number that JSON has no form for; text is quoted`]);
  }
  try {
    return document.toJS();
  } catch (error) {
    throw unusable(path, [`${path}: an alias without its anchor, or too many of them`], error);
  }
}

/** The line of what a problem is about; of something that is missing, that of what should have it. */
function lineOf({ path: place, key }: SeedProblem, document: Document.Parsed, lines: LineCounter): number {
  const path = key === undefined ? place : [...place, key];
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (hasRange(node)) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

function hasRange(node: unknown): node is { range: readonly [number, ...number[]] } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
}

function unusable(path: string, problems: readonly string[], cause?: unknown): UsageError {
  return new UsageError(`--seed ${path}: the seed cannot be used`, {
    problems,
    hint: 'docs/serve.md describes what a seed holds',
    cause,
  });
}
