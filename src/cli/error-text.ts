import { sanitize, sanitizeJson, sanitizeLines } from '../terminal/text/sanitize.js';
import { jsonLineOf, reportOf } from './error-report.js';

export interface ErrorStyle {
  /** One JSON line for scripts, in place of text for people. */
  readonly json: boolean;
  readonly color: boolean;
  /** Puts the stack of a bug in orgctl first, where traces are. */
  readonly verbose: boolean;
}

/** What stderr says of an error (contract, section 1, "Errors and exit codes"). Text from the service is made harmless. */
export async function errorText(error: unknown, style: ErrorStyle): Promise<string> {
  const report = reportOf(error);
  const stack = style.verbose && report.code === 'internal' ? stackOf(error) : '';
  if (style.json) return `${stack}${sanitizeJson(jsonLineOf(report))}`;
  const chalk = style.color ? await (await import('../terminal/text/color.js')).loadChalk() : undefined;
  const lines = [`${chalk?.bold.red('error:') ?? 'error:'} ${sanitize(report.message)}`];
  for (const problem of report.problems ?? []) lines.push(`  ${sanitize(problem)}`);
  if (report.hint !== undefined) lines.push(`${chalk?.bold('hint:') ?? 'hint:'} ${sanitize(report.hint)}`);
  return `${stack}${lines.join('\n')}\n`;
}

/** Where an error came from, and what caused it. Not what else its properties hold, which may be anything. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const cause = error.cause === undefined ? '' : stackOf(error.cause);
  const said = String(error);
  // Of the message one line, which may be the service's words; V8 puts it before the frames.
  const { stack = said } = error;
  const frames = stack.startsWith(said) ? stack.slice(said.length) : `\n${stack}`;
  return `${sanitize(said)}${sanitizeLines(frames)}\n${cause && `caused by ${cause}`}`;
}
