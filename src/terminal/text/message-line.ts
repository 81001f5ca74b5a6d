import { sanitize, sanitizeJson } from './sanitize.js';

export function speaksJson(format: string | undefined): boolean {
  return format === 'json' || format === 'jsonl';
}

/** A note or warning: one line of text with hidden characters escaped, or JSON such as `{"note":…}`. */
export function messageLine(kind: 'note' | 'warning', text: string, asJson: boolean): string {
  if (asJson) return `${sanitizeJson(JSON.stringify({ [kind]: text }))}\n`;
  return traceLine(kind === 'note' ? text : `warning: ${text}`);
}

export function traceLine(text: string): string {
  return `${sanitize(text)}\n`;
}
