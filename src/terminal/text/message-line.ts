import { sanitize, sanitizeJson } from './sanitize.js';

/** Whether what is said on stderr beside the output is JSON, too: a line each, as errors are. */
export function speaksJson(format: string | undefined): boolean {
  return format === 'json' || format === 'jsonl';
}

/** What stderr gets of a note or a warning: one line for people, whatever the service put into it, or `{"note":…}`. */
export function messageLine(kind: 'note' | 'warning', text: string, asJson: boolean): string {
  if (asJson) return `${sanitizeJson(JSON.stringify({ [kind]: text }))}\n`;
  return traceLine(kind === 'note' ? text : `warning: ${text}`);
}

/** What stderr gets of a line of `--verbose`, in every format. */
export function traceLine(text: string): string {
  return `${sanitize(text)}\n`;
}
