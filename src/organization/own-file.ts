import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Context } from '../cli/context.js';
import { describeFileError, refuseWriting, UsageError } from '../errors/errors.js';
import { readDocument } from '../input/document-file.js';
import { MalformedText } from '../input/json-text.js';
import { replaceFile } from '../platform/durable-file.js';
import { whyKept } from '../platform/regular-file.js';
import { maxFileBytes } from './file.js';

export interface OwnFile {
  readonly path: string;
  /** Such as `--out plan.json`. */
  readonly named: string;
  readonly what: string;
  readonly isOwn: (value: unknown) => boolean;
}

/** Checks, before any work, that the path is free, or has a file of the same kind. @throws UsageError otherwise */
export async function assertReplaceable(
  { path, named, what, isOwn }: OwnFile,
  { system }: Context,
): Promise<void> {
  const includes = (text: string) =>
    readDocument(text, path, what).then(
      ({ value }) => isOwn(value),
      (error: unknown) => {
        if (error instanceof MalformedText) return false;
        throw error;
      },
    );
  const problem = await whyKept(resolve(system.cwd(), path), what, includes, maxFileBytes);
  if (problem === undefined) return;
  throw new UsageError(`${named}: ${problem}`, {
    hint: 'nothing was written; choose another path, or remove it first',
  });
}

/** Writes the whole text or nothing. @throws UsageError for an unwritable file; ConfigError on a full disk */
export async function writeOwnFile({ path, named }: OwnFile, text: string, context: Context): Promise<void> {
  const place = resolve(context.system.cwd(), path);
  const isReplaced = existsSync(place);
  try {
    await replaceFile(place, text);
  } catch (error) {
    throw refuseWriting(`${named}: ${describeFileError(error)}`, error);
  }
  await context.note(isReplaced ? `replaced the existing ${path}` : `wrote ${path}`);
}
