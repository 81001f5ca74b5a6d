import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isResource, type Resource } from '../api/resources/resource.js';
import type { Context } from '../cli/context.js';
import { adviseWriting, describeFileError, refuseWriting, UsageError } from '../errors/errors.js';
import { parseInputJson } from '../input/json-text.js';
import { parseYaml } from '../input/yaml-text.js';
import { replaceFile } from '../platform/durable-file.js';
import { whyKept } from '../platform/regular-file.js';
import { maxFileBytes } from './file.js';

export interface OwnFile {
  readonly path: string;
  /** Such as `--out plan.json`. */
  readonly named: string;
  readonly what: string;
  readonly isOwn: (value: Resource) => boolean;
}

/** Checks, before any work, what is in the file's place. @throws UsageError for a file of another kind */
export async function assertReplaceable(
  { path, named, what, isOwn }: OwnFile,
  { system }: Context,
): Promise<void> {
  const includes = (text: string) => {
    try {
      const value = parseInputJson(text, path) ?? parseYaml(text, path)[0]?.value;
      return isResource(value) && isOwn(value);
    } catch {
      return false;
    }
  };
  const place = resolve(system.cwd(), path);
  const problem = whyKept(place, { what, maxBytes: maxFileBytes, includes });
  if (problem === undefined) return;
  const hint = 'nothing was written; choose another path, or remove it first';
  throw new UsageError(`${named}: ${problem}`, { hint });
}

/** All or nothing. @throws UsageError for an unwritable file; ConfigError on a full disk */
export async function writeOwnFile({ path, named }: OwnFile, text: string, context: Context): Promise<void> {
  const place = resolve(context.system.cwd(), path);
  const isReplaced = existsSync(place);
  try {
    await replaceFile(place, text);
  } catch (error) {
    throw refuseWriting(`${named}: ${describeFileError(error)}`, { ...adviseWriting(error), cause: error });
  }
  await context.note(isReplaced ? `replaced the existing ${path}` : `wrote ${path}`);
}
