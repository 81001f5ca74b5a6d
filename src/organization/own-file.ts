import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Context } from '../cli/context.js';
import {
  adviseWriting,
  describeFileError,
  readSystemCode,
  refuseWriting,
  UsageError,
} from '../errors/errors.js';
import { readDocument } from '../input/document-file.js';
import { MalformedText } from '../input/json-text.js';
import { replaceFile } from '../platform/durable-file.js';
import { readRegularFile } from '../platform/regular-file.js';
import { maxFileBytes } from './file.js';

export interface OwnFile {
  readonly path: string;
  /** Such as `--out plan.json`. */
  readonly named: string;
  readonly what: string;
  readonly isOwn: (value: unknown) => boolean;
}

/** Checks, before any work, what is in the file's place. @throws UsageError for a file of another kind */
export async function assertReplaceable(
  { path, named, what, isOwn }: OwnFile,
  context: Context,
): Promise<void> {
  const hint = 'nothing was written; choose another path, or remove it first';
  const refuse = (problem: string) => new UsageError(`${named}: ${problem}`, { hint });
  let text: string;
  try {
    text = readRegularFile(resolve(context.system.cwd(), path), maxFileBytes).toString('utf8');
  } catch (error) {
    if (readSystemCode(error) === 'ENOENT') return;
    throw refuse(describeFileError(error));
  }
  if (text === '') return;
  const document = await readDocument(text, path, what, context).catch((error: unknown) => {
    if (error instanceof MalformedText) return undefined;
    throw error;
  });
  if (!isOwn(document?.value)) throw refuse(`the existing file is not ${what}`);
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
