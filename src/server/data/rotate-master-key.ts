import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { ConfigError } from '../../errors/errors.js';
import type { Engine } from '../../storage/engine.js';
import { checkRing, KeyRing, masterKeyLength, resealAll, toFingerprint } from '../../storage/key-ring.js';
import { prepareSchema } from '../../storage/schema.js';
import { closing, type DataSource, existingDatabase } from '../maintenance/check-data.js';
import { masterKeyName, openEngine } from './data-directory.js';
import { decodeMasterKeys, missingKey, readMasterKeys, writeMasterKeys } from './master-key.js';
import { requireOwnIfThere } from './private-file.js';

interface RotateKeyOptions extends DataSource {
  /** Default: generated, if the current key is in a file. */
  readonly newMasterKey?: string | undefined;
}

/**
 * Puts a new key in front of the key ring, then encrypts the data with it, value by value. All data opens with the ring
 * at any moment: after an interruption, run this again.
 * @throws ConfigError if a server uses the embedded database, a key is missing or wrong, or the data is unwritable
 */
export async function changeMasterKey(options: RotateKeyOptions) {
  const directory = resolve(options.data);
  requireOwnIfThere(directory, 'public');
  const engine = await openEngine(existingDatabase(options), options.database);
  return closing(engine, () => engine.alone(() => rotate(engine, directory, options)));
}

async function rotate(engine: Engine, directory: string, { masterKey, newMasterKey }: RotateKeyOptions) {
  await prepareSchema(engine);
  const known = readMasterKeys(directory, masterKey);
  if (known === undefined) throw missingKey(directory);
  const added = newMasterKey === undefined ? [] : decodeMasterKeys(newMasterKey, 'the new master key');
  const used = await checkRing(engine.database, new KeyRing(...known, ...added));
  if (used === undefined) throw new ConfigError('there is no encrypted data');
  // If the data does not use the newest key yet, an interrupted rotation to it goes on.
  const isNewNeeded = added.length === 0 && toFingerprint(known[0]) === used;
  if (isNewNeeded && masterKey !== undefined)
    throw new ConfigError('there is no new master key to rotate to', { hint: 'give a new one' });
  const newest = added[0] ?? (isNewNeeded ? randomBytes(masterKeyLength) : known[0]);
  const older = known.filter((key) => toFingerprint(key) !== toFingerprint(newest));
  if (masterKey === undefined) await writeMasterKeys(directory, [newest, ...older]);
  const ring = new KeyRing(newest, ...older);
  return {
    ...(await resealAll(engine, ring)),
    ...(masterKey === undefined && { keyFile: join(directory, masterKeyName) }),
    fingerprint: ring.fingerprint,
    oldFingerprints: older.map(toFingerprint),
  };
}
