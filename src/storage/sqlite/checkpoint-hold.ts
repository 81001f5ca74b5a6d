import { statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';

/** Milliseconds for which a hold counts: one of a process that died must not let the log grow for ever. */
const holdAge = 30_000;
const holdRenewal = 5_000;

/** The file beside a database by which another process asks its server to leave the log as it is. */
function findHold(database: string): string {
  return `${database}-copying`;
}

/** Whether somebody copies the database now. */
export function areCheckpointsHeld(database: string): boolean {
  try {
    const stats = statSync(findHold(database), { throwIfNoEntry: false });
    return stats !== undefined && Math.abs(Date.now() - stats.mtimeMs) < holdAge;
  } catch {
    return false;
  }
}

/**
 * Does work while the server of a database, if one runs, copies nothing from its log into the database: from its next
 * commit on. The log grows meanwhile. Where the file cannot be written the work is done all the same.
 */
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
