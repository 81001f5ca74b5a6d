import type { Context } from '../cli/context.js';
import type { UsageError } from '../errors/errors.js';
import { parseInputJson, placeInJson } from './formats/json-text.js';
import { MalformedText } from './formats/malformed-text.js';

export interface Document {
  readonly value: unknown;
  lineAt(path: readonly PropertyKey[]): number;
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
  { whileBusy }: Pick<Context, 'whileBusy'>,
): Promise<Document> {
  try {
    // JSON first, because the YAML library needs far more time and memory.
    const json = await whileBusy(() => parseInputJson(text));
    if (json !== undefined) return { value: json, lineAt: (field) => placeInJson(text, field).line };
    const { findOffset, parseYamlText } = await import('./formats/yaml-text.js');
    const { plainValue } = await import('./formats/yaml-value.js');
    return await whileBusy(() => {
      const { documents, placeAt } = parseYamlText(text);
      const [value = null] = documents.map((document) => plainValue(document, placeAt));
      const [first, second] = documents;
      if (second !== undefined)
        throw new MalformedText(`${what} must be one document`, placeAt(second.range[0]));
      return { value, lineAt: (field) => placeAt(findOffset(first?.contents, field)).line };
    });
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    throw unusable([error.describe(path)], error);
  }
}
