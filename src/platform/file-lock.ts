import { lstatSync } from 'node:fs';
import { ConfigError, describeFileError, readSystemCode } from '../errors/errors.js';

/** Milliseconds until a killed process's lock can be taken over. */
const stale = 10_000;

/** Longer than `stale`, so that waiting fails only if the holder is alive. */
const retries = { retries: 120, factor: 1.3, minTimeout: 15, maxTimeout: 200, randomize: true };

interface Lock {
  /** Where the lock is created, as an empty directory. */
  readonly path: string;
  /** The name of the protected files, for messages. */
  readonly of: string;
}

/**
 * Runs `work` under an exclusive lock. `work` must call `assertHeld` before each write: a lock can get lost, for example
 * while a laptop sleeps.
 * @throws ConfigError if another process holds the lock, or if it cannot be created or was lost
 */
export async function withLock<Result>(
  { path, of }: Lock,
  work: (assertHeld: () => void) => Promise<Result>,
): Promise<Result> {
  const { lock } = await import('proper-lockfile');
  // By default, a lost lock would end the process. `work` checks the lock, because the library does so too rarely.
  const options = { lockfilePath: path, realpath: false, stale, onCompromised: () => undefined };
  const release = await lock(path, options)
    .catch((error: unknown) => {
      if (readSystemCode(error) === 'ELOCKED') return lock(path, { ...options, retries });
      throw error;
    })
    .catch((cause: unknown) => {
      const why =
        readSystemCode(cause) === 'ELOCKED'
          ? `another orgctl is changing ${of} (${path} is held)`
          : `cannot lock ${of}: ${path}: ${describeFileError(cause)}`;
      const hint = 'try again, and check that the directory can be written to';
      throw new ConfigError(`${why}; nothing was changed`, { hint, cause });
    });
  const own = readFileIdentity(path);
  try {
    return await work(() => {
      if (readFileIdentity(path) === own) return;
      const message = `the lock ${path} was lost, so nothing was written to ${of}`;
      throw new ConfigError(message, { hint: 'try again' });
    });
  } finally {
    // A lock that cannot be removed is taken over later, like a killed process's.
    if (readFileIdentity(path) === own) await release().catch(() => undefined);
  }
}

function readFileIdentity(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  // With the time of creation, because inode numbers are reused.
  return found && `${found.dev} ${found.ino} ${found.birthtimeMs}`;
}
