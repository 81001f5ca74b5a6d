import { resolve } from 'node:path';
import { option } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { describeFileError, UsageError } from '../../errors/errors.js';
import { readInputFile } from '../../input/input-file.js';
import { MalformedText, parseInputJson } from '../../input/json-text.js';
import type { Profile } from '../../profiles/file/profile-file.js';
import { decodeText } from '../../text/utf8.js';

export const dialectOption = option(
  '--dialect <file>',
  'accept only responses in this dialect: reference, bare, cursor, camel or a file; "none" accepts every form that orgctl knows',
);

const dialectBytes = 1024 * 1024;

/** The dialect to store: a preset's name, or a file's content; `none` removes it. @throws as `loadDialect` */
export async function givenDialect(
  given: string | undefined,
  context: Pick<Context, 'system'>,
): Promise<Pick<Profile, 'dialect'>> {
  if (given === undefined) return {};
  if (given === 'none') return { dialect: undefined };
  return { dialect: await loadDialect('--dialect', given, context) };
}

/** The name of a preset, or the content of a file. @throws UsageError for an unusable file */
export async function loadDialect(
  option: string,
  given: string,
  context: Pick<Context, 'system'>,
): Promise<unknown> {
  const { isPreset, pinForms, presetNames } = await import('../../client/reading/pinned-forms.js');
  if (isPreset(given)) return given;
  const hint = `a file, or one of ${presetNames.join(', ')}`;
  const from = `${option} ${given}`;
  const bytes = await readInputFile(resolve(context.system.cwd(), given), dialectBytes).catch(
    (error: unknown) => {
      throw new UsageError(`${from}: ${describeFileError(error)}`, { hint, cause: error });
    },
  );
  const dialect = await parseDialect(decodeText(bytes, from), from);
  const pinned = pinForms(dialect);
  if ('misfit' in pinned) throw new UsageError(`${from}: not a dialect: ${pinned.misfit}`);
  return dialect;
}

async function parseDialect(text: string, from: string): Promise<unknown> {
  try {
    const json = parseInputJson(text);
    if (json !== undefined) return json;
    const { parseYaml } = await import('../../input/yaml-text.js');
    return parseYaml(text)[0]?.value ?? null;
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    throw new UsageError(error.describe(from), { cause: error });
  }
}

export function showDialect({ dialect }: Pick<Profile, 'dialect'>): string | undefined {
  if (dialect === undefined) return undefined;
  return typeof dialect === 'string' ? dialect : 'from a file';
}
