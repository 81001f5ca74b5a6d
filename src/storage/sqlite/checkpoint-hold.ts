import { statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';

/** Milliseconds. Holds expire, so that a crashed process cannot make the log grow forever. */
const holdAge = 30_000;
const holdRenewal = 5_000;

/** Creating this file beside the database asks its server not to merge its log. */
function findHold(database: string): string {
  return `${database}-copying`;
}

export function areCheckpointsHeld(database: string): boolean {
  try {
    const stats = statSync(findHold(database), { throwIfNoEntry: false });
    return stats !== undefined && Math.abs(Date.now() - stats.mtimeMs) < holdAge;
  } catch {
    return false;
  }
}

/** Keeps a running server's log unmerged during `work`. Best effort: an unwritable file is ignored. */
export async function holdingCheckpoints<Result>(
  database: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const path = findHold(database);
  const hold = () => writeFile(path, '', { mode: 0o600 }).catch(() => undefined);
  await hold();
  const renewing = setInterval(() => void hold(), holdRenewal);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    await rm(path, { force: true }).catch(() => undefined);
  }
}
