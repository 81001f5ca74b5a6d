import { maxClockDifference } from '../../signing/hmac/timestamp.js';
import { isSameProcess, processStart } from '../../terminal/process/process-system.js';

export interface RecordedRun {
  readonly pid?: number | undefined;
  /** The start time of the process, if known, because process IDs are reused. */
  readonly started?: string | undefined;
}

export function describeRun(pid: number): RecordedRun {
  const started = processStart(pid);
  return started === undefined ? { pid } : { pid, started };
}

/** Whether another process wrote the record and seems to be running. If unknown, `until` decides, with some margin. */
export function isLive(
  { pid, started }: RecordedRun,
  { until }: { readonly until?: string | undefined },
  ownPid: number,
): boolean {
  if (pid === undefined || pid === ownPid) return false;
  return isSameProcess(pid, started) ?? !(Date.now() > Date.parse(until ?? '') + maxClockDifference);
}
