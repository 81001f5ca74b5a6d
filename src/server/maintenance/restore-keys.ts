import { ConfigError, readMessage } from '../../errors/errors.js';
import { option } from '../../errors/server-option.js';
import { toFingerprint } from '../../storage/database/cipher.js';
import { MasterKeyFile } from '../data/master-key-file.js';
import type { KnownKey } from '../data/master-key-text.js';
import { type DataSource, type InspectOptions, knownKeys } from './inspected-data.js';

/** The master keys that may open a backup, and those that the restored data may have. */
export interface RestoreKeys extends Pick<InspectOptions, 'keyHint' | 'keyProblems'> {
  /** All of them, the current ones first. */
  readonly keys: readonly KnownKey[];
  /** What the next start looks for: the given key, or those of `master.key`, of which there are two during a change. */
  readonly current: readonly KnownKey[];
}

/**
 * A backup needs the key that the data had when it was made: the current one, or one of those that are kept since they
 * were replaced. Which one, the data itself tells: a backup of an old version has no fingerprint.
 * @throws ConfigError when the current one cannot be read, or is none.
 */
export async function restoreKeys({ data, masterKey }: DataSource): Promise<RestoreKeys> {
  const file = new MasterKeyFile(data);
  const current = await knownKeys({ data, masterKey });
  const problems: string[] = [];
  const beside = masterKey === undefined ? [] : await file.candidates().catch(noteIn(problems));
  const old = await file.old.find();
  // A key is never to be put in the place of another one.
  const isTaken = masterKey !== undefined || current.length > 0;
  return {
    current,
    keys: [...current, ...beside, ...old.keys],
    keyProblems: [...problems, ...old.problems],
    keyHint(fingerprint = 'BACKUP') {
      const place = isTaken
        ? `put it in ${file.old.fileOf(fingerprint)}, mode 0600`
        : `put it in ${file.path}, mode 0600, or set ${option('masterKey')} to it`;
      return `find that key in master.key or old-master-keys of the data directory that was backed up, and ${place}`;
    },
  };
}

function noteIn(problems: string[]): (error: unknown) => [] {
  return (error) => {
    problems.push(readMessage(error));
    return [];
  };
}

/** The key with a fingerprint. */
export function keyWith(fingerprint: string, keys: readonly KnownKey[]): KnownKey | undefined {
  return keys.find(({ key }) => toFingerprint(key) === fingerprint);
}

/**
 * Has the key of restored data where the next start looks for it. To be called while nobody can change the key, before
 * the data is in its place.
 * @throws ConfigError when the key was changed since it was read, or cannot be written.
 */
export async function secureKey({ data, masterKey }: DataSource, { key }: KnownKey): Promise<void> {
  if (masterKey !== undefined) return;
  const file = new MasterKeyFile(data);
  const candidates = await file.candidates();
  if (candidates.length === 0) return file.adopt(key);
  if (!candidates.some((candidate) => candidate.key.equals(key))) {
    throw new ConfigError(`the master key in ${file.path} was changed meanwhile`, { hint: 'restore again' });
  }
  // The next start ends an interrupted change by the restored data, and the replaced data may have the other key.
  if (candidates.length > 1) for (const candidate of candidates) await file.old.keep(candidate.key);
}
