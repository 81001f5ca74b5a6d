import { resolve } from 'node:path';
import { option } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { describeFileError, UsageError } from '../../errors/errors.js';
import { readDocument } from '../../input/document-file.js';
import { readInputFile } from '../../input/input-file.js';
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
  context: Context,
): Promise<Pick<Profile, 'dialect'>> {
  if (given === undefined) return {};
  return { dialect: given === 'none' ? undefined : await loadDialect('--dialect', given, context) };
}

/** The name of a preset, or the content of a file. @throws UsageError for an unusable file */
export async function loadDialect(option: string, given: string, context: Context): Promise<unknown> {
  const { isPreset, pinForms, presetNames } = await import('../../client/reading/pinned-forms.js');
  if (isPreset(given)) return given;
  const path = `${option} ${given}`;
  const bytes = await readInputFile(resolve(context.system.cwd(), given), dialectBytes).catch(
    (cause: unknown) => {
      const hint = `a file, or one of ${presetNames.join(', ')}`;
      throw new UsageError(`${path}: ${describeFileError(cause)}`, { hint, cause });
    },
  );
  const unusable = ([problem]: readonly string[], cause?: unknown) => new UsageError(`${problem}`, { cause });
  const file = { path, what: 'a dialect', unusable };
  const { value } = await readDocument(decodeText(bytes, path), file, context);
  const pinned = pinForms(value);
  if ('misfit' in pinned) throw new UsageError(`${path}: not a dialect: ${pinned.misfit}`);
  return value;
}

export function showDialect({ dialect }: Pick<Profile, 'dialect'>): string | undefined {
  if (dialect === undefined) return undefined;
  return typeof dialect === 'string' ? dialect : 'from a file';
}
