import { renameSync, statSync } from 'node:fs';
import { readMessage } from '../../errors/errors.js';
import { StoreBroken } from '../engine.js';

/** SQLite would go on writing to a deleted or replaced file. @returns a check that throws StoreBroken once one is */
export function watchFiles(database: string, place: string): () => void {
  const log = `${database}-wal`;
  const known = [database, log].map((path) => [path, identify(path)] as const);
  return () => {
    const lost = known.find(([path, identity]) => identify(path) !== identity);
    if (lost === undefined) return;
    if (lost[0] === database && identify(database) !== undefined) setAside(log);
    const reason = 'was deleted, moved or replaced; writes stop until it is back or the server restarts';
    throw new StoreBroken(place, `${lost[0]} ${reason}`);
  };
}

/** The next process would apply the log of a replaced database to the new one. */
function setAside(log: string): void {
  try {
    renameSync(log, `${log}.of-replaced`);
  } catch {
    // It is reported as lost anyway.
  }
}

function identify(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}`;
  } catch (error) {
    return readMessage(error);
  }
}
