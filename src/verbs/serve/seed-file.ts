import { resolve } from 'node:path';
import type { Context } from '../../cli/context.js';
import { fileMessageOf, UsageError } from '../../errors/errors.js';
import { textOf } from '../../input/entry-file.js';
import { mostProblems } from '../../input/file-problems.js';
import { parseInputJson, placeInJson } from '../../input/formats/json-text.js';
import { MalformedText } from '../../input/formats/malformed-text.js';
import { readInputFile } from '../../input/input-file.js';
import type { FirstOrganizationOptions, Seed } from '../../server/index.js';
import type { SeedProblem } from '../../server/seed/schema.js';

/** `options` must fit the seed. @throws UsageError whose problems name file and line, and repeat no value */
export async function readSeedFile(
  path: string,
  options: FirstOrganizationOptions,
  context: Pick<Context, 'system' | 'whileBusy'>,
): Promise<Seed> {
  const bytes = await readInputFile(resolve(context.system.cwd(), path)).catch((error: unknown) => {
    throw new UsageError(`--seed ${path}: ${fileMessageOf(error)}`, { cause: error });
  });
  const { value, lineOf } = await parseSeed(textOf(bytes, `--seed ${path}`), path, context);
  const { checkSeed, describeProblem } = await import('../../server/seed/schema.js');
  const checked = await context.whileBusy(() => checkSeed(value, options));
  if ('seed' in checked) return checked.seed;
  const problems = checked.problems.slice(0, mostProblems).map((problem) => ({
    line: lineOf(problem),
    text: describeProblem(problem),
  }));
  throw unusable(
    path,
    problems
      .toSorted((one, other) => one.line - other.line)
      .map(({ line, text }) => `${path}:${line}: ${text}`),
  );
}

interface ParsedSeed {
  readonly value: unknown;
  readonly lineOf: (problem: SeedProblem) => number;
}

async function parseSeed(
  text: string,
  path: string,
  { whileBusy }: Pick<Context, 'whileBusy'>,
): Promise<ParsedSeed> {
  try {
    // JSON first: 100,000 connections would cost the YAML library 30 s and 1 GB.
    const json = await whileBusy(() => parseInputJson(text));
    if (json !== undefined) {
      return { value: json, lineOf: (problem) => placeInJson(text, pathOf(problem)).line };
    }
    const { offsetOf, parseYaml } = await import('../../input/formats/yaml-text.js');
    const { plainValue } = await import('../../input/formats/yaml-value.js');
    return await whileBusy(() => {
      const { documents, placeAt } = parseYaml(text);
      const [value = null] = documents.map((document) => plainValue(document, placeAt));
      const [first, second] = documents;
      if (second !== undefined) throw new MalformedText('a seed is one document', placeAt(second.range[0]));
      return { value, lineOf: (problem) => placeAt(offsetOf(first?.contents, pathOf(problem))).line };
    });
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    const { line, column, isSyntax, message } = error;
    throw unusable(path, [`${path}:${line}:${column}: ${isSyntax ? 'not YAML: ' : ''}${message}`], error);
  }
}

function pathOf({ path, key }: SeedProblem): readonly PropertyKey[] {
  return key === undefined ? path : [...path, key];
}

function unusable(path: string, problems: readonly string[], cause?: unknown): UsageError {
  return new UsageError(`--seed ${path}: the seed cannot be used`, {
    problems,
    hint: 'docs/serve.md describes what a seed holds',
    cause,
  });
}
