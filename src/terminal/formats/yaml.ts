import { Document, type ScalarTag, visit } from 'yaml';
import { ExactNumber } from '../../text/exact-number.js';
import { hasHidden, sanitizeYaml } from '../text/sanitize.js';
import type { Format } from './format.js';

/** One YAML 1.2 document; a list is written as its items arrive. */
export const yamlFormat: Format = async function* yamlFormat(rows) {
  let isEmpty = true;
  for await (const row of rows) {
    yield printYaml([row]);
    isEmpty = false;
  }
  if (isEmpty) yield '[]\n';
};

const exactNumberTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof ExactNumber,
  resolve: (text) => text,
  stringify: ({ value }) => String(value),
};

/** Escapes hidden characters: YAML allows some only as escapes, and some readers change others. */
export function printYaml(value: unknown): string {
  // `compat` quotes words like `no`, which YAML 1.1 readers take for false.
  const document = new Document(value, {
    aliasDuplicateObjects: false,
    compat: 'yaml-1.1',
    customTags: (tags) => [exactNumberTag, ...tags],
  });
  visit(document, {
    Scalar: (_key, node) => {
      // Only double-quoted strings can contain escapes.
      if (typeof node.value === 'string' && hasHidden(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return sanitizeYaml(document.toString({ lineWidth: 0 }));
}
