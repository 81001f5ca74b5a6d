import { isResource } from '../../api/resources/resource.js';
import { ExactNumber } from '../../text/exact-number.js';

const maxOutlined = 8;
const deepest = 5;
const longest = 400;

/**
 * Keys of a response and the types of their values, such as `{ data: list of 3 { id: number, name: text } }`. Shows no
 * values, which may be secret; short enough for a message.
 */
export function outline(value: unknown): string {
  const text = outlineAt(value, 0);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function outlineAt(value: unknown, depth: number): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return 'empty list';
    return `list of ${value.length} ${depth < deepest ? outlineAt(value[0], depth + 1) : '…'}`;
  }
  if (value === null) return 'null';
  if (value === '') return 'empty text';
  if (value instanceof ExactNumber) return 'number';
  if (!isResource(value)) return typeof value === 'string' ? 'text' : typeof value;
  if (depth === deepest) return '{ … }';
  const names = Object.keys(value);
  const fields = names
    .slice(0, maxOutlined)
    .map((name) => `${quoteName(name)}: ${outlineAt(value[name], depth + 1)}`);
  const all = names.length > maxOutlined ? [...fields, '…'] : fields;
  return all.length === 0 ? '{}' : `{ ${all.join(', ')} }`;
}

/** Hides long names, which may be data, such as a secret. */
function quoteName(name: string): string {
  if (name.length > 40) return '"…"';
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
}
