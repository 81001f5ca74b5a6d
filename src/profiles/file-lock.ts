import { ConfigError, systemCodeOf } from '../errors.js';

/** A lock left behind by a process that was killed is taken over after this many milliseconds. */
const stale = 10_000;

/** Patience of about 20 s: longer than `stale`, so that only a living holder can make us give up. */
const retries = { retries: 120, factor: 1.3, minTimeout: 15, maxTimeout: 200, randomize: true };

/**
 * Runs `work` while no other process holds the lock at `path`. The lock is a directory of its own, so what it guards
 * need not exist yet. `work` gets a function that throws when the lock was lost meanwhile (a laptop that slept): call
 * it right before writing.
 *
 * @throws ConfigError when a living process keeps the lock, or the lock cannot be made
 */
export async function withLock<Result>(
  path: string,
  work: (assertHeld: () => void) => Promise<Result>,
): Promise<Result> {
  const { lock } = await import('proper-lockfile');
  let lost: Error | undefined;
  const onCompromised = (error: Error) => {
    lost = error;
  };
  const release = await lock(path, {
    lockfilePath: path,
    realpath: false,
    stale,
    retries,
    onCompromised,
  }).catch((error: unknown) => {
    throw lockError(path, error);
  });
  try {
    return await work(() => {
      if (lost !== undefined) throw lockError(path, lost);
    });
  } finally {
    if (lost === undefined) await release();
  }
}

function lockError(path: string, cause: unknown): ConfigError {
  const code = systemCodeOf(cause);
  if (code === 'ELOCKED' || code === 'ECOMPROMISED') {
    return new ConfigError(`another orgctl is changing the profiles (${path} is held)`, {
      hint: 'try again; nothing was changed',
      cause,
    });
  }
  return new ConfigError(`the profiles cannot be locked: ${path}: ${code}`, {
    hint: 'check that the directory can be written to; nothing was changed',
    cause,
  });
}
