import { dialectSchema } from '../api/dialect/dialect.js';
import type { PresetName } from '../api/dialect/dialect-input.js';
import { isPreset } from '../api/dialect/presets.js';
import { type Problem, placeMessage, z } from '../api/schema/schema.js';
import type { Context } from '../cli/context.js';
import { UsageError } from '../errors/errors.js';
import { decodeText } from '../text/utf8.js';
import { maxProblems, readDocument, readInputFile } from './document-file.js';

type Checked<Value> = { readonly dialect: Value } | { readonly problems: readonly Problem[] };

/** A preset, or a JSON or YAML file. @throws UsageError for an unusable file */
export async function readDialectFile<Value>(
  option: string,
  given: string,
  check: (value: unknown) => Checked<Value>,
  context: Context,
): Promise<PresetName | Value> {
  if (isPreset(given)) return given;
  const named = `${option} ${given}`;
  const bytes = await readInputFile(given, named, context.system.cwd(), 1024 * 1024);
  const { value, placeAt } = await readDocument(decodeText(bytes, named), given, 'a dialect');
  const checked = check(value);
  if ('dialect' in checked) return checked.dialect;
  const problems = checked.problems.slice(0, maxProblems);
  throw new UsageError(`${named}: invalid dialect`, {
    problems: problems.map((each) => `${given}:${placeAt(each.path).line}: ${placeMessage(each)}`),
    hint: 'docs/reference/dialects.md describes dialects',
  });
}

/** A dialect as its file has it, without defaults. @throws as `readDialectFile` */
export function loadDialect(option: string, given: string, context: Context): Promise<unknown> {
  const check = (value: unknown): Checked<unknown> => {
    const { error } = z.safeParse(dialectSchema, value);
    return error === undefined ? { dialect: value } : { problems: error.issues };
  };
  return readDialectFile(option, given, check, context);
}
