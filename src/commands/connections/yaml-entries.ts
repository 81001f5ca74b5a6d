import { isScalar, isSeq } from 'yaml';
import { MalformedYaml, offsetOf, parseYaml, plainValue, type YamlText } from '../yaml-text.js';
import type { Entries } from './entries.js';

/**
 * The entries of YAML: those of a sequence, or one of each document.
 *
 * @throws MalformedYaml whose message never repeats the text: it may hold passwords
 */
export function parseYamlEntries(text: string): Entries {
  const { documents, lineAt } = parseYaml(text);
  const values = documents.map((document) => plainValue(document, lineAt));
  const filled = documents.filter(({ contents }) => contents !== null && !isNull(contents));
  const entries = values.flatMap((value): unknown[] => {
    if (value === null) return [];
    return Array.isArray(value) ? value : [value];
  });
  const isList = filled.length !== 1 || isSeq(filled[0]?.contents);
  return { isList, entries, lineOf: locator({ documents: filled, lineAt }) };
}

/** Finds lines in text that was read otherwise, such as JSON. Whatever is wrong with it as YAML does not matter here. */
export function yamlLines(text: string): Entries['lineOf'] {
  try {
    return locator(parseYaml(text));
  } catch (error) {
    if (error instanceof MalformedYaml) return async () => error.line;
    throw error;
  }
}

function isNull(node: unknown): boolean {
  return isScalar(node) && node.value === null;
}

function locator({ documents, lineAt }: YamlText): Entries['lineOf'] {
  const nodes = documents.flatMap(({ contents }): unknown[] =>
    isSeq(contents) ? contents.items : [contents],
  );
  return async ({ entry, path }) => lineAt(offsetOf(nodes[entry], path));
}
