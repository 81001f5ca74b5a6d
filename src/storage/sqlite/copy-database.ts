import { constants } from 'node:fs';
import { copyFile, open, rm, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { ConfigError, readSystemCode } from '../../errors/errors.js';
import { holdingCheckpoints } from './checkpoint-hold.js';

/** Copies that are tried: a server that holds its checkpoints spoils the first one at most. */
const copyAttempts = 20;

/** The header of a write-ahead log: it has other salts each time the log begins anew. */
const headerLength = 32;

const sidecars = ['-wal', '-journal'] as const;

/**
 * Copies a database to `target` as it was at one moment, with the log that belongs to it, whether a server has it open
 * or not; nothing is locked, and no process may call this that has the database open itself.
 *
 * A checkpoint only writes what is in the log. So a database that is read while one goes on is mended by its log, as
 * after a crash, as long as that log did not begin anew meanwhile; otherwise it is copied again.
 * @throws ConfigError when it does not hold still.
 */
export async function copyDatabase(source: string, target: string): Promise<void> {
  await holdingCheckpoints(source, async () => {
    for (let attempt = 0; attempt < copyAttempts; attempt += 1) {
      if (await copyOnce(source, target)) return;
      await setTimeout(10 * attempt);
    }
    throw new ConfigError(`${source} cannot be copied: it is being written to without a pause`, {
      hint: 'try again when the server has less to do, or stop it',
    });
  });
}

/** Whether what was copied belongs together. */
async function copyOnce(source: string, target: string): Promise<boolean> {
  const before = await readGeneration(source);
  await removeDatabase(target);
  await copyFile(source, target, constants.COPYFILE_EXCL);
  for (const ending of sidecars) await copyIfThere(`${source}${ending}`, `${target}${ending}`);
  return (await readGeneration(source)) === before;
}

/** Removes a database with all that belongs to it. */
async function removeDatabase(path: string): Promise<void> {
  for (const ending of ['', ...sidecars]) await rm(`${path}${ending}`, { force: true });
}

async function copyIfThere(source: string, target: string): Promise<void> {
  await copyFile(source, target, constants.COPYFILE_EXCL).catch((error: unknown) => {
    if (readSystemCode(error) !== 'ENOENT') throw error;
  });
}

/** What changes when the log begins anew; without a log, when anything is written. */
async function readGeneration(path: string): Promise<string> {
  const header = await readLogHeader(`${path}-wal`);
  const journal = await stat(`${path}-journal`).then(
    ({ size }) => size,
    () => undefined,
  );
  const { ino, size, mtimeNs } = await stat(path, { bigint: true });
  return [header, journal, ino, ...(header === '' || header === undefined ? [size, mtimeNs] : [])].join(' ');
}

async function readLogHeader(log: string): Promise<string | undefined> {
  try {
    const file = await open(log);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headerLength), 0, headerLength, 0);
      return buffer.toString('hex', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (readSystemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
