import { readAdvice } from '../../cli/error-report.js';
import type { AddOptions, Advice } from '../../errors/advice.js';
import { type ErrorCode, InterruptedError, OrgctlError } from '../../errors/errors.js';

export type CheckName =
  | 'files'
  | 'profile'
  | 'secret'
  | 'dns'
  | 'proxy'
  | 'connection'
  | 'tls'
  | 'clock'
  | 'authentication'
  | 'basic';

export interface Verdict {
  /** `skipped`: does not apply here, and does not stop later checks. */
  readonly result: 'ok' | 'warning' | 'skipped';
  readonly detail: string;
  readonly advice?: Advice | undefined;
}

export interface Diagnostic {
  readonly name: CheckName;
  /** Checks whose failure this one would only repeat. */
  readonly needs: readonly CheckName[];
  readonly run: () => Promise<Verdict>;
}

/** `code` names the exit code for this finding. */
export interface Finding {
  readonly check: CheckName;
  readonly result: Verdict['result'] | 'failed';
  readonly detail: string;
  readonly hint?: string | undefined;
  readonly code?: ErrorCode;
}

export interface Examination {
  readonly findings: readonly Finding[];
  /** The first failure's error, because later ones may be consequences. */
  readonly cause: OrgctlError | undefined;
  readonly advice: ReadonlyMap<CheckName, Advice>;
}

/** Runs checks in order, except any whose needs failed or did not run. @throws InterruptedError on a signal */
export async function examine(
  checks: readonly Diagnostic[],
  onDone: () => void,
  addOptions?: AddOptions,
): Promise<Examination> {
  const findings: Finding[] = [];
  const missing = new Set<CheckName>();
  const advice = new Map<CheckName, Advice>();
  let cause: OrgctlError | undefined;
  for (const check of checks) {
    const obstacle = check.needs.find((name) => missing.has(name));
    const found =
      obstacle === undefined ? await toFinding(check, addOptions) : { finding: notMade(check, obstacle) };
    findings.push(found.finding);
    if (obstacle !== undefined || found.error !== undefined) missing.add(check.name);
    if (found.advice?.hint !== undefined) advice.set(check.name, found.advice);
    cause ??= found.error;
    onDone();
  }
  return { findings, cause, advice };
}

interface ExaminedFinding {
  readonly finding: Finding;
  readonly error?: OrgctlError;
  readonly advice?: Advice | undefined;
}

async function toFinding(
  { name, run }: Diagnostic,
  addOptions: AddOptions | undefined,
): Promise<ExaminedFinding> {
  try {
    const { advice, ...verdict } = await run();
    const { hint } = readAdvice({ details: advice ?? {} }, addOptions);
    return { finding: { check: name, ...verdict, ...(hint !== undefined && { hint }) }, advice };
  } catch (error) {
    if (!(error instanceof OrgctlError) || error instanceof InterruptedError) throw error;
    const { message: detail, code } = error;
    const { hint } = readAdvice(error, addOptions);
    return { finding: { check: name, result: 'failed', detail, hint, code }, error, advice: error.details };
  }
}

function notMade({ name }: Diagnostic, obstacle: CheckName): ExaminedFinding['finding'] {
  return { check: name, result: 'skipped', detail: `not tried: it needs "${obstacle}"` };
}
