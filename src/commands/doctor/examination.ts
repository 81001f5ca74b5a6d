import { type ErrorCode, InterruptedError, OrgctlError } from '../../errors.js';

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
  /** `skipped`: it does not apply here, which is no obstacle to the checks after it. */
  readonly result: 'ok' | 'warning' | 'skipped';
  readonly detail: string;
  readonly hint?: string | undefined;
}

/** One thing that can be wrong. */
export interface Diagnostic {
  readonly name: CheckName;
  /** Checks without whose success this one would only repeat what they say. */
  readonly needs: readonly CheckName[];
  /** Throws an OrgctlError for what is wrong. */
  readonly run: () => Promise<Verdict>;
}

/** One row: what a check found. `code` is that of the exit code which it would have. */
export interface Finding {
  readonly check: CheckName;
  readonly result: Verdict['result'] | 'failed';
  readonly detail: string;
  readonly hint?: string | undefined;
  readonly code?: ErrorCode;
}

export interface Examination {
  readonly findings: readonly Finding[];
  /** The error of the first check that failed: later failures may only follow from it. */
  readonly cause: OrgctlError | undefined;
}

/**
 * Makes the checks in their order. One that needs another which failed is not made.
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
    return { finding: { check: name, result: 'failed', detail, hint: error.details.hint, code }, error };
  }
}

function notMade({ name }: Diagnostic, obstacle: CheckName): Found['finding'] {
  return { check: name, result: 'skipped', detail: `not tried: it needs "${obstacle}"` };
}
