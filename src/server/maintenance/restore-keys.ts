import { ConfigError, readMessage } from '../../errors/errors.js';
import { toFingerprint } from '../../storage/database/cipher.js';
import { MasterKeyFile } from '../data/master-key-file.js';
import type { KnownKey } from '../data/master-key-text.js';
import { type DataSource, type InspectOptions, knownKeys } from './inspected-data.js';

/** Master keys that may open a backup, and those for the restored data. */
export interface RestoreKeys extends Pick<InspectOptions, 'keyHint' | 'keyProblems'> {
  readonly keys: readonly KnownKey[];
  /** Keys that the next start may use: the given one, or those in the directory's files (two during a change). */
  readonly current: readonly KnownKey[];
}

/**
 * Finds keys for a backup, which may need an old one. @throws ConfigError if the current key is unusable
 * @param isMade whether the directory is new: a failure removes it
 */
export async function restoreKeys({ data, masterKey }: DataSource, isMade: boolean): Promise<RestoreKeys> {
  const file = new MasterKeyFile(data);
  const current = await knownKeys({ data, masterKey });
  const problems: string[] = [];
  const beside = masterKey === undefined ? [] : await file.candidates().catch(noteIn(problems));
  const old = await file.old.find();
  // The hint must not make users overwrite another key.
  const isTaken = masterKey !== undefined || current.length > 0;
  return {
    current,
    keys: [...current, ...beside, ...old.keys],
    keyProblems: [...problems, ...old.problems],
    keyHint(fingerprint = 'BACKUP') {
      const place = isTaken
        ? `put it in ${file.old.fileOf(fingerprint)}, mode 0600`
        : `put it in ${file.path}, mode 0600, or give it as the master key`;
      const put = isMade ? `make the directory and ${place}` : place;
      return `find that key in master.key or old-master-keys of the original data directory, and ${put}`;
    },
  };
}

function noteIn(problems: string[]): (error: unknown) => [] {
  return (error) => {
    problems.push(readMessage(error));
    return [];
  };
}

export function keyWith(fingerprint: string, keys: readonly KnownKey[]): KnownKey | undefined {
  return keys.find(({ key }) => toFingerprint(key) === fingerprint);
}

/** Stores the restored data's key if missing. Call it with the data locked. @throws ConfigError if there is another key */
export async function secureKey({ data, masterKey }: DataSource, { key }: KnownKey): Promise<void> {
  if (masterKey !== undefined) return;
  const file = new MasterKeyFile(data);
  const candidates = await file.candidates();
  if (candidates.length === 0) return file.adopt(key);
  if (!candidates.some((candidate) => candidate.key.equals(key))) {
    throw new ConfigError(`the master key in ${file.path} has changed`, { hint: 'restore again' });
  }
  // The next start ends an interrupted change, and may remove the key that the replaced data needs.
  if (candidates.length > 1) for (const candidate of candidates) await file.old.keep(candidate.key);
}
