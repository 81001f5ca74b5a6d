import { jsonLineOf, reportOf } from './exit.js';
import { sanitize } from './terminal/sanitize.js';

export interface ErrorStyle {
  /** One JSON line for scripts, in place of text for people. */
  readonly json: boolean;
  readonly color: boolean;
  /** Adds the stack of a bug in orgctl. */
  readonly verbose: boolean;
}

/** What stderr says of an error (contract, section 1, "Errors and exit codes"). Text from the service is made harmless. */
export async function errorText(error: unknown, style: ErrorStyle): Promise<string> {
  const report = reportOf(error);
  if (style.json) return jsonLineOf(report);
  const chalk = style.color ? await (await import('./terminal/color.js')).loadChalk() : undefined;
  const label = (text: string) => chalk?.bold.red(text) ?? text;
  const lines = [`${label('error:')} ${sanitize(report.message)}`];
  for (const problem of report.problems ?? []) lines.push(`  ${sanitize(problem)}`);
  if (report.hint !== undefined) lines.push(`${chalk?.bold('hint:') ?? 'hint:'} ${sanitize(report.hint)}`);
  if (style.verbose && report.code === 'internal' && error instanceof Error) lines.push(error.stack ?? '');
  return `${lines.join('\n')}\n`;
}
