import type { AddOptions } from '../errors/advice.js';
import { sanitize, sanitizeJson, sanitizeLines } from '../terminal/text/sanitize.js';
import { toJsonLine, toReport } from './error-report.js';

export interface ErrorStyle {
  readonly json: boolean;
  readonly color: boolean;
  /** Prints the stack of an internal error before the message. */
  readonly verbose: boolean;
  /** Adds options to commands in the hint, so that they act on this command line's target. */
  readonly addOptions?: AddOptions | undefined;
}

/** Text for stderr, with hidden characters escaped. */
export async function errorText(error: unknown, style: ErrorStyle): Promise<string> {
  const report = toReport(error, style.addOptions);
  const stack = style.verbose && report.code === 'internal' ? readStack(error) : '';
  if (style.json) return `${stack}${sanitizeJson(toJsonLine(report))}`;
  const chalk = style.color ? await (await import('../terminal/text/color.js')).loadChalk() : undefined;
  const lines = [`${chalk?.bold.red('error:') ?? 'error:'} ${sanitize(report.message)}`];
  for (const problem of report.problems ?? []) lines.push(`  ${sanitize(problem)}`);
  if (report.hint !== undefined) lines.push(`${chalk?.bold('hint:') ?? 'hint:'} ${sanitize(report.hint)}`);
  return `${stack}${lines.join('\n')}\n`;
}

/** Omits other properties of an error, which may hold secrets. */
function readStack(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const cause = error.cause === undefined ? '' : readStack(error.cause);
  const said = String(error);
  // V8's stack begins with the message, which may contain the service's text.
  const { stack = said } = error;
  const frames = stack.startsWith(said) ? stack.slice(said.length) : `\n${stack}`;
  return `${sanitize(said)}${sanitizeLines(frames)}\n${cause && `caused by ${cause}`}`;
}
