import { adviceOf } from '../../cli/error-report.js';
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

/** What a check that did not fail says. */
export interface Verdict {
  /** `skipped`: does not apply here, and does not keep later checks from running. */
  readonly result: 'ok' | 'warning' | 'skipped';
  readonly detail: string;
  readonly hint?: string | undefined;
}

/** One thing that can be wrong. */
export interface Diagnostic {
  readonly name: CheckName;
  /** Checks that have to succeed first: otherwise this one would only repeat their findings. */
  readonly needs: readonly CheckName[];
  /** Throws an OrgctlError for what is wrong. */
  readonly run: () => Promise<Verdict>;
}

/** One row: what a check found. `code` names the exit code that it would have. */
export interface Finding {
  readonly check: CheckName;
  readonly result: Verdict['result'] | 'failed';
  readonly detail: string;
  readonly hint?: string | undefined;
  readonly code?: ErrorCode;
}

export interface Examination {
  readonly findings: readonly Finding[];
  /** The error of the first failed check: later failures may be consequences. */
  readonly cause: OrgctlError | undefined;
}

/**
 * Runs the checks in order. A check is left out if one that it needs has failed.
 *
 * @throws InterruptedError when a signal ends it
 */
export async function examine(checks: readonly Diagnostic[], onDone: () => void): Promise<Examination> {
  const findings: Finding[] = [];
  const missing = new Set<CheckName>();
  let cause: OrgctlError | undefined;
  for (const check of checks) {
    const obstacle = check.needs.find((name) => missing.has(name));
    const found = obstacle === undefined ? await findingOf(check) : { finding: notMade(check, obstacle) };
    findings.push(found.finding);
    if (obstacle !== undefined || found.error !== undefined) missing.add(check.name);
    cause ??= found.error;
    onDone();
  }
  return { findings, cause };
}

interface Found {
  readonly finding: Finding;
  readonly error?: OrgctlError;
}

async function findingOf({ name, run }: Diagnostic): Promise<Found> {
  try {
    return { finding: { check: name, ...(await run()) } };
  } catch (error) {
    if (!(error instanceof OrgctlError) || error instanceof InterruptedError) throw error;
    const { message: detail, code } = error;
    return { finding: { check: name, result: 'failed', detail, hint: adviceOf(error).hint, code }, error };
  }
}

function notMade({ name }: Diagnostic, obstacle: CheckName): Found['finding'] {
  return { check: name, result: 'skipped', detail: `not tried: it needs "${obstacle}"` };
}
