import { isSameProcess, processStart } from '../../terminal/process/process-system.js';
import { mostSkew } from '../resource/created-at.js';

/** The process that wrote a record. */
export interface RecordedRun {
  readonly pid?: number | undefined;
  /** When it started, as far as the platform says: another process may have its ID by now. */
  readonly started?: string | undefined;
}

/** What a record has of the process that writes it. */
export function runOf(pid: number): RecordedRun {
  const started = processStart(pid);
  return started === undefined ? { pid } : { pid, started };
}

/**
 * Whether the process that wrote a record, and not this one, is still at it. Where nobody can tell it from another one
 * with its ID, it is taken for live until its attempt must be over.
 */
export function isLive(
  { pid, started }: RecordedRun,
  { until }: { readonly until?: string | undefined },
  ownPid: number,
): boolean {
  if (pid === undefined || pid === ownPid) return false;
  return isSameProcess(pid, started) ?? !(Date.now() > Date.parse(until ?? '') + mostSkew);
}
