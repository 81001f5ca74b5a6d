import { statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';

/** Milliseconds until a hold expires, so that a crashed process cannot make the log grow forever. */
const holdAge = 30_000;
const holdRenewal = 5_000;

/** A recently written file at this path asks the server of the database not to merge its log. */
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

/** Asks a running server not to merge its log during `work`. Best effort: an unwritable file is ignored. */
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
