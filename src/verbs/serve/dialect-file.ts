import { resolve } from 'node:path';
import { presets } from '../../api/dialect/presets.js';
import { placeMessage } from '../../api/schema/schema.js';
import type { Context } from '../../cli/context.js';
import { describeFileError, UsageError } from '../../errors/errors.js';
import { type NamedFile, readDocument } from '../../input/document-file.js';
import { maxProblems } from '../../input/file-problems.js';
import { readInputFile } from '../../input/input-file.js';
import type { ServerOptions } from '../../server/index.js';
import { decodeText } from '../../text/utf8.js';

const dialectFileBytes = 1024 * 1024;

/** The dialect that `--dialect` names: a preset, or a JSON or YAML file. @throws UsageError for an unusable file */
export async function readDialect(
  name: string,
  context: Pick<Context, 'system' | 'whileBusy'>,
): Promise<ServerOptions['dialect']> {
  const { checkDialect, isPreset } = await import('../../server/dialect/check-dialect.js');
  if (isPreset(name)) return name;
  const file: NamedFile = {
    path: name,
    what: 'a dialect',
    unusable: (problems, cause) =>
      new UsageError(`--dialect ${name}: invalid dialect`, {
        problems,
        hint: 'docs/reference/dialects.md describes dialects',
        cause,
      }),
  };
  const { value, lineAt } = await readDocument(await readDialectText(name, context), file, context);
  const checked = checkDialect(value);
  if ('dialect' in checked) return checked.dialect;
  const problems = checked.problems.slice(0, maxProblems);
  throw file.unusable(problems.map((problem) => `${name}:${lineAt(problem.path)}: ${placeMessage(problem)}`));
}

async function readDialectText(name: string, { system }: Pick<Context, 'system'>): Promise<string> {
  try {
    return decodeText(
      await readInputFile(resolve(system.cwd(), name), dialectFileBytes),
      `--dialect ${name}`,
    );
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--dialect ${name}: ${describeFileError(error)}`, {
      hint: `give a file, or one of ${Object.keys(presets).join(', ')}`,
      cause: error,
    });
  }
}
