import { Document, type ScalarTag, visit } from 'yaml';
import { ExactNumber } from '../../text/exact-number.js';
import { escapeUnprintable, hasHidden, isUnprintable, sanitizeYaml } from '../text/sanitize.js';
import type { Format, Rows, Surface } from './format.js';

/** One YAML 1.2 document; writes a list as its items arrive. */
export function yamlFormat(surface: Surface): Format {
  const print = (value: unknown) => printYaml(value, surface.isTerminal);
  return {
    list: (rows) => sequence(rows, print),
    value: (value) => [print(value ?? null)],
  };
}

async function* sequence<Row>(rows: Rows<Row>, print: (value: unknown) => string): AsyncGenerator<string> {
  let empty = true;
  for await (const row of rows) {
    yield print([row]);
    empty = false;
  }
  if (empty) yield '[]\n';
}

const exactNumberTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof ExactNumber,
  resolve: (text) => text,
  stringify: ({ value }) => String(value),
};

export function printYaml(value: unknown, visible: boolean): string {
  // `compat` quotes words like `no`, which YAML 1.1 readers take for false.
  const document = new Document(value, {
    aliasDuplicateObjects: false,
    compat: 'yaml-1.1',
    customTags: (tags) => [exactNumberTag, ...tags],
  });
  quoteEscaped(document, visible ? hasHidden : () => false);
  const yaml = escapeUnprintable(document.toString({ lineWidth: 0 }));
  return visible ? sanitizeYaml(yaml) : yaml;
}

// Only double-quoted strings can contain escapes.
function quoteEscaped(document: Document, isEscaped: (text: string) => boolean): void {
  visit(document, {
    Scalar: (_key, node) => {
      const { value } = node;
      if (typeof value === 'string' && (isUnprintable(value) || isEscaped(value))) node.type = 'QUOTE_DOUBLE';
    },
  });
}
