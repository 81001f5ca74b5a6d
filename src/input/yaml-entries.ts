import { isScalar, isSeq } from 'yaml';
import { findOffset, parseYamlText, type YamlText } from './formats/yaml-text.js';
import { plainValue } from './formats/yaml-value.js';

export interface YamlField {
  readonly entry: number;
  readonly path: readonly PropertyKey[];
}

export interface Entries {
  readonly entries: readonly unknown[];
  /** Counts from 1; a missing field has the line of its parent. */
  readonly lineOf: (field: YamlField) => Promise<number>;
}

/** Each document is a list of entries, or one entry. @throws MalformedText, which never quotes the text */
export function parseYamlEntries(text: string): Entries {
  const { documents, placeAt } = parseYamlText(text);
  const values = documents.map((document) => plainValue(document, placeAt));
  const filled = documents.filter(({ contents }) => contents !== null && !isNull(contents));
  const entries = values.flatMap((value): unknown[] => {
    if (value === null) return [];
    return Array.isArray(value) ? value : [value];
  });
  return { entries, lineOf: locator({ documents: filled, placeAt }) };
}

function isNull(node: unknown): boolean {
  return isScalar(node) && node.value === null;
}

function locator({ documents, placeAt }: YamlText): Entries['lineOf'] {
  const nodes = documents.flatMap(({ contents }): unknown[] =>
    isSeq(contents) ? contents.items : [contents],
  );
  return async ({ entry, path }) => placeAt(findOffset(nodes[entry], path)).line;
}
