import type { Context } from '../cli/context.js';
import { MalformedText, parseInputJson, placeInJson, type TextPlace } from './json-text.js';

export interface TextDocument {
  readonly value: unknown;
  /** The place of a field's name or of an item; a missing one has the place of its parent. */
  placeAt(path: readonly PropertyKey[]): TextPlace;
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
    const isBadJson = error instanceof MalformedText && error.isSyntax && isMeantAsJson(text, path);
    throw isBadJson ? new MalformedText('not JSON', error) : error;
  }
}

/** Whether a message about YAML would be confusing. */
function isMeantAsJson(text: string, path: string): boolean {
  return /\.json$/i.test(path) || (!/\.ya?ml$/i.test(path) && /^\s*[[{]/.test(text));
}
