import { resolve } from 'node:path';
import type { Context } from '../../cli/context.js';
import { describeFileError, UsageError } from '../../errors/errors.js';
import { type NamedFile, readDocument } from '../../input/document-file.js';
import { decodeText } from '../../input/entry-file.js';
import { mostProblems } from '../../input/file-problems.js';
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
    throw new UsageError(`--seed ${path}: ${describeFileError(error)}`, { cause: error });
  });
  const file: NamedFile = {
    path,
    what: 'a seed',
    unusable: (problems, cause) => refuseSeed(path, problems, cause),
  };
  const { value, lineAt } = await readDocument(decodeText(bytes, `--seed ${path}`), file, context);
  const { checkSeed, describeProblem } = await import('../../server/seed/schema.js');
  const checked = await context.whileBusy(() => checkSeed(value, options));
  if ('seed' in checked) return checked.seed;
  const problems = checked.problems.slice(0, mostProblems).map((problem) => ({
    line: lineAt(toSeedPath(problem)),
    text: describeProblem(problem),
  }));
  throw refuseSeed(
    path,
    problems
      .toSorted((one, other) => one.line - other.line)
      .map(({ line, text }) => `${path}:${line}: ${text}`),
  );
}

function toSeedPath({ path, key }: SeedProblem): readonly PropertyKey[] {
  return key === undefined ? path : [...path, key];
}

function refuseSeed(path: string, problems: readonly string[], cause?: unknown): UsageError {
  return new UsageError(`--seed ${path}: the seed cannot be used`, {
    problems,
    hint: 'docs/guides/local-service.md describes what a seed holds',
    cause,
  });
}
