import type { Context } from '../cli/context.js';
import type { UsageError } from '../errors/errors.js';
import { MalformedText, parseInputJson, placeInJson, type TextDocument } from './json-text.js';

/** Maximum number of problems to report, because locating each takes time. */
export const maxProblems = 100;

export function countProblems({ length }: { readonly length: number }): string {
  if (length > maxProblems) return `more than ${maxProblems} problems`;
  return length === 1 ? 'a problem' : `${length} problems`;
}

export interface NamedFile {
  readonly path: string;
  readonly what: string;
  unusable(problems: readonly string[], cause?: unknown): UsageError;
}

/** @throws UsageError, made by `unusable`, for anything but JSON or one YAML document */
export async function readDocument(
  text: string,
  { path, what, unusable }: NamedFile,
  context: Pick<Context, 'whileBusy'>,
): Promise<{ readonly value: unknown; lineAt(path: readonly PropertyKey[]): number }> {
  try {
    const [first, second] = await parseDocuments(text, path, context);
    if (second !== undefined) throw new MalformedText(`${what} must be one document`, second.placeAt([]));
    return { value: first?.value ?? null, lineAt: (field) => first?.placeAt(field).line ?? 1 };
  } catch (error) {
    throw error instanceof MalformedText ? unusable([error.describe(path)], error) : error;
  }
}

/** Reads JSON, or the documents of YAML. @throws MalformedText for the first problem */
export async function parseDocuments(
  text: string,
  path: string,
  { whileBusy }: Pick<Context, 'whileBusy'>,
): Promise<readonly TextDocument[]> {
  // JSON first, because the YAML library needs far more time and memory.
  const json = await whileBusy(() => parseInputJson(text));
  if (json !== undefined) return [{ value: json, placeAt: (field) => placeInJson(text, field) }];
  const { parseYaml } = await import('./yaml-text.js');
  try {
    return await whileBusy(() => parseYaml(text));
  } catch (error) {
    // A message about YAML would be confusing.
    const isMeantAsJson = /\.json$/i.test(path) || (!/\.ya?ml$/i.test(path) && /^\s*[[{]/.test(text));
    const isBadJson = error instanceof MalformedText && error.isSyntax && isMeantAsJson;
    throw isBadJson ? new MalformedText('not JSON', error.at) : error;
  }
}
