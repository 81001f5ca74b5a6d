import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describeFileError, UsageError } from '../errors/errors.js';
import { isStream, readRegularFile } from '../platform/regular-file.js';
import { MalformedText, parseInputJson, placeInJson, type TextDocument } from './json-text.js';

/** Maximum number of problems to report, because locating each takes time. */
export const maxProblems = 100;

export function countProblems({ length }: { readonly length: number }): string {
  if (length > maxProblems) return `more than ${maxProblems} problems`;
  return length === 1 ? 'a problem' : `${length} problems`;
}

/** Reads a regular file, or a stream such as `/dev/stdin` or `<(command)`. @param named its name in errors */
export async function readInputFile(
  path: string,
  named: string,
  directory: string,
  maxBytes?: number,
): Promise<Buffer> {
  const absolute = resolve(directory, path);
  try {
    return await (isStream(absolute) ? readFile(absolute) : readRegularFile(absolute, maxBytes));
  } catch (cause) {
    throw new UsageError(`${named}: ${describeFileError(cause)}`, { cause });
  }
}

/** The only document of JSON or YAML; null for an empty text. @throws MalformedText, also for a second document */
export async function readDocument(text: string, name: string, what: string): Promise<TextDocument> {
  const [first, second] = await parseDocuments(text, name);
  if (second !== undefined) {
    const why = `${what} must be one document; a second one begins here`;
    throw new MalformedText(why, name, second.placeAt([]));
  }
  return first ?? { value: null, placeAt: () => ({ line: 1, column: 1 }) };
}

/** @throws MalformedText for the first problem */
export async function parseDocuments(text: string, name: string): Promise<readonly TextDocument[]> {
  // JSON first, because the YAML library needs far more time and memory.
  const json = parseInputJson(text, name);
  if (json !== undefined) return [{ value: json, placeAt: (field) => placeInJson(text, field) }];
  const { parseYaml } = await import('./yaml-text.js');
  return parseYaml(text, name);
}
