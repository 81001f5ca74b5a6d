import type { Context } from '../cli/context.js';
import { sanitizeLines } from '../terminal/text/sanitize.js';

/**
 * A body as received, for stdout: exact in a pipe. For a terminal, escapes control characters, which it could obey, and
 * ends the last line, so that an error or the shell's prompt does not follow on it.
 */
export function toPrintableBody(body: Buffer, { streams }: Pick<Context, 'streams'>): string | Buffer {
  if (!streams.stdout.isTerminal || body.length === 0) return body;
  const text = sanitizeLines(body.toString('utf8'));
  return text.endsWith('\n') ? text : `${text}\n`;
}
