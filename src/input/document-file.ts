import type { Context } from '../cli/context.js';
import type { UsageError } from '../errors/errors.js';
import { parseDocuments } from './documents.js';
import { MalformedText } from './json-text.js';

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
  context: Pick<Context, 'whileBusy'>,
): Promise<Document> {
  try {
    const [first, second] = await parseDocuments(text, path, context);
    if (second !== undefined) throw new MalformedText(`${what} must be one document`, second.placeAt([]));
    return { value: first?.value ?? null, lineAt: (field) => first?.placeAt(field).line ?? 1 };
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    throw unusable([error.describe(path)], error);
  }
}
