import type { AddOptions } from '../errors/errors.js';
import { sanitize, sanitizeJson, sanitizeLines } from '../terminal/text/sanitize.js';
import { toJsonLine, toReport } from './error-report.js';

export interface ErrorStyle {
  readonly json: boolean;
  readonly color: boolean;
  /** Prints the stack of a bug first, as traces do. */
  readonly verbose: boolean;
  /** Adds the current global options to commands in the hint. */
  readonly addOptions?: AddOptions | undefined;
}

/** Text for stderr. Escapes the service's text. */
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

/** Shows only stacks: other properties of errors may hold anything. */
function readStack(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const cause = error.cause === undefined ? '' : readStack(error.cause);
  const said = String(error);
  // V8 puts the message, perhaps from the service, before the frames.
  const { stack = said } = error;
  const frames = stack.startsWith(said) ? stack.slice(said.length) : `\n${stack}`;
  return `${sanitize(said)}${sanitizeLines(frames)}\n${cause && `caused by ${cause}`}`;
}
