import { sanitizeJson, sanitizeLines } from './sanitize.js';

/** Whether what is said on stderr beside the output is JSON, too: a line each, as errors are. */
export function speaksJson(format: string | undefined): boolean {
  return format === 'json' || format === 'jsonl';
}

/** What stderr gets of a note or a warning: a line for people, or `{"note":…}`. */
export function messageLine(kind: 'note' | 'warning', text: string, asJson: boolean): string {
  if (asJson) return `${sanitizeJson(JSON.stringify({ [kind]: text }))}\n`;
  return `${sanitizeLines(kind === 'note' ? text : `warning: ${text}`)}\n`;
}
