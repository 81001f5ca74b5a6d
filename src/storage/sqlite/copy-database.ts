import { constants } from 'node:fs';
import { copyFile, open, rm, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { ConfigError, readSystemCode } from '../../errors/errors.js';
import { holdingCheckpoints } from './checkpoint-hold.js';

/** Many attempts, for servers that do not respect the hold (`checkpoint-hold.ts`). */
const copyAttempts = 20;

/** Bytes of the write-ahead log's header; its salts change whenever the log restarts. */
const headerLength = 32;

const sidecars = ['-wal', '-journal'] as const;

/**
 * Copies a consistent snapshot of a database and its log to `target`, even while a server uses the database. Takes no
 * lock; the calling process must not have the database open. A checkpoint during the copy does no harm, because the
 * copied log contains what it wrote. If the log restarts meanwhile, the copy is repeated.
 * @throws ConfigError if the database changes too fast
 */
export async function copyDatabase(source: string, target: string): Promise<void> {
  await holdingCheckpoints(source, async () => {
    for (let attempt = 0; attempt < copyAttempts; attempt += 1) {
      if (await copyOnce(source, target)) return;
      await setTimeout(10 * attempt);
    }
    throw new ConfigError(`${source} cannot be copied: it is written to continuously`, {
      hint: 'try again when the server is less busy, or stop it',
    });
  });
}

async function copyOnce(source: string, target: string): Promise<boolean> {
  const before = await readGeneration(source);
  await removeDatabase(target);
  await copyFile(source, target, constants.COPYFILE_EXCL);
  for (const ending of sidecars) await copyIfThere(`${source}${ending}`, `${target}${ending}`);
  return (await readGeneration(source)) === before;
}

async function removeDatabase(path: string): Promise<void> {
  for (const ending of ['', ...sidecars]) await rm(`${path}${ending}`, { force: true });
}

async function copyIfThere(source: string, target: string): Promise<void> {
  await copyFile(source, target, constants.COPYFILE_EXCL).catch((error: unknown) => {
    if (readSystemCode(error) !== 'ENOENT') throw error;
  });
}

/** Text that changes when the log restarts or, if there is no log, with any write. */
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
