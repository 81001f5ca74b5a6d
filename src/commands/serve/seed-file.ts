import { resolve } from 'node:path';
import { jsonValueOf } from '../../client/json-body.js';
import type { Context } from '../../context.js';
import { fileMessageOf, UsageError } from '../../errors.js';
import type { FirstOrganizationOptions, Seed } from '../../server/index.js';
import type { SeedProblem } from '../../server/seed/schema.js';
import { readInputFile } from '../input-file.js';

/**
 * Reads a seed from a JSON or YAML file.
 * @param options other choices for the first organization, which must be consistent with the seed
 * @throws UsageError when it cannot be read or used; its problems name file and line, and repeat no value
 */
export async function readSeedFile(
  path: string,
  options: FirstOrganizationOptions,
  { system }: Pick<Context, 'system'>,
): Promise<Seed> {
  const bytes = await readInputFile(resolve(system.cwd(), path)).catch((error: unknown) => {
    throw new UsageError(`--seed ${path}: ${fileMessageOf(error)}`, { cause: error });
  });
  const text = bytes.toString('utf8');
  // JSON first: 100,000 connections cost the YAML library 30 s and 1 GB. It is used to find lines.
  const json = jsonValueOf(bytes);
  const value = json === undefined ? await seedOf(text, path) : json;
  const { checkSeed, describeProblem } = await import('../../server/seed/schema.js');
  const checked = checkSeed(value, options);
  if ('seed' in checked) return checked.seed;
  const lineOf = await linesOf(text);
  const problems = checked.problems.map((problem) => ({
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

async function seedOf(text: string, path: string): Promise<unknown> {
  const { MalformedYaml, parseYaml, plainValue } = await import('../yaml-text.js');
  try {
    const { documents, placeAt } = parseYaml(text);
    const [value = null] = documents.map((document) => plainValue(document, placeAt));
    const second = documents[1];
    if (second !== undefined) throw new MalformedYaml('a seed is one document', placeAt(second.range[0]));
    return value;
  } catch (error) {
    if (!(error instanceof MalformedYaml)) throw error;
    const { line, isSyntax, message } = error;
    throw unusable(path, [`${path}:${line}: ${isSyntax ? 'not YAML: ' : ''}${message}`], error);
  }
}

/** Finds a problem's line; YAML includes JSON, so one parser serves both. */
async function linesOf(text: string): Promise<(problem: SeedProblem) => number> {
  const { MalformedYaml, offsetOf, parseYaml } = await import('../yaml-text.js');
  try {
    const { documents, placeAt } = parseYaml(text);
    return ({ path, key }) =>
      placeAt(offsetOf(documents[0]?.contents, key === undefined ? path : [...path, key])).line;
  } catch (error) {
    if (error instanceof MalformedYaml) return () => error.line;
    throw error;
  }
}

function unusable(path: string, problems: readonly string[], cause?: unknown): UsageError {
  return new UsageError(`--seed ${path}: the seed cannot be used`, {
    problems,
    hint: 'docs/serve.md describes what a seed holds',
    cause,
  });
}
