import { resolve } from 'node:path';
import { isResource } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { describeFileError, readSystemCode, UsageError } from '../../errors/errors.js';
import { readRegularFile } from '../../platform/regular-file.js';
import { decodeText } from '../../text/utf8.js';
import { maxFileBytes, organizationVersion } from '../declaration/organization-file.js';
import { parseFile } from '../read/read-file.js';

/**
 * Checks that `export` would replace nothing but its own kind of file.
 * @param schema the schema to write, instead of an organization file
 * @throws UsageError for an existing file of another kind, unless it is empty
 */
export async function assertExportPlace(
  file: string,
  schema: unknown,
  { system, whileBusy }: Pick<Context, 'system' | 'whileBusy'>,
): Promise<void> {
  const isSame = schema === undefined ? isOrganization : hasTitleOf(schema);
  const kept = await whileBusy(() => whyKept(file, resolve(system.cwd(), file), isSame));
  if (kept === undefined) return;
  const what = schema === undefined ? 'an organization file' : 'a schema of organization files';
  throw new UsageError(`${file}: ${kept === 'other' ? `the existing file is not ${what}` : kept.problem}`, {
    hint: 'nothing was written; choose another path, or remove it first',
  });
}

function whyKept(
  file: string,
  path: string,
  isSame: (value: unknown) => boolean,
): 'other' | { readonly problem: string } | undefined {
  let bytes: Buffer;
  try {
    bytes = readRegularFile(path, maxFileBytes);
  } catch (error) {
    return readSystemCode(error) === 'ENOENT' ? undefined : { problem: describeFileError(error) };
  }
  try {
    return bytes.length === 0 || isSame(parseFile(decodeText(bytes, file), file).value) ? undefined : 'other';
  } catch (error) {
    if (error instanceof UsageError) return 'other';
    throw error;
  }
}

function isOrganization(value: unknown): boolean {
  return isResource(value) && value['version'] === organizationVersion;
}

const hasTitleOf = (schema: unknown) => (value: unknown) =>
  isResource(schema) && isResource(value) && value['title'] === schema['title'];
