import { redactedHeader } from '../../redaction/redact.js';
import { redactedBody } from '../../redaction/redact-json.js';

/** The headers of a request, name and value by turns, as they may be shown. */
export function redactedHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = redactedHeader(name, rawHeaders[at + 1] ?? '');
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}

/** A body as it may be shown: the JSON value, or words for what is none. */
export function shownBody(body: Buffer): unknown {
  const shown = redactedBody(body);
  return 'json' in shown ? JSON.parse(shown.json) : shown.measures;
}
