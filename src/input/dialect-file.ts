import { resolve } from 'node:path';
import { dialectSchema } from '../api/dialect/dialect.js';
import type { PresetName } from '../api/dialect/dialect-input.js';
import { isPreset, presets } from '../api/dialect/presets.js';
import { type Problem, placeMessage, z } from '../api/schema/schema.js';
import type { Context } from '../cli/context.js';
import { describeFileError, UsageError } from '../errors/errors.js';
import { decodeText } from '../text/utf8.js';
import { maxProblems, readDocument } from './document-file.js';
import { readInputFile } from './input-file.js';

/** Bytes. */
const largestDialect = 1024 * 1024;

type Checked<Value> = { readonly dialect: Value } | { readonly problems: readonly Problem[] };

/** The dialect that an option names: a preset, or a JSON or YAML file. @throws UsageError for an unusable file */
export async function readDialectFile<Value>(
  option: string,
  given: string,
  check: (value: unknown) => Checked<Value>,
  context: Context,
): Promise<PresetName | Value> {
  if (isPreset(given)) return given;
  const place = `${option} ${given}`;
  const unusable = (problems: readonly string[], cause?: unknown) => {
    const hint = 'docs/reference/dialects.md describes dialects';
    return new UsageError(`${place}: invalid dialect`, { problems, hint, cause });
  };
  const bytes = await readInputFile(resolve(context.system.cwd(), given), largestDialect).catch(
    (cause: unknown) => {
      const hint = `give a file, or one of ${Object.keys(presets).join(', ')}`;
      throw new UsageError(`${place}: ${describeFileError(cause)}`, { hint, cause });
    },
  );
  const file = { path: given, what: 'a dialect', unusable };
  const { value, lineAt } = await readDocument(decodeText(bytes, place), file, context);
  const checked = check(value);
  if ('dialect' in checked) return checked.dialect;
  const problems = checked.problems.slice(0, maxProblems);
  throw unusable(problems.map((each) => `${given}:${lineAt(each.path)}: ${placeMessage(each)}`));
}

/** A dialect of any service, as its file says it. @throws as `readDialectFile` */
export function loadDialect(option: string, given: string, context: Context): Promise<unknown> {
  const check = (value: unknown): Checked<unknown> => {
    const { error } = z.safeParse(dialectSchema, value);
    return error === undefined ? { dialect: value } : { problems: error.issues };
  };
  return readDialectFile(option, given, check, context);
}
