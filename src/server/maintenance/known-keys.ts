import { join } from 'node:path';
import { decodeMasterKey, masterKeyName, readMasterKey } from '../master-key.js';

/** A master key, and where it is from. */
export interface KnownKey {
  readonly key: Buffer;
  readonly source: string;
}

/**
 * The master keys that may open the data of a directory: the one given, or else those in its files, of which there are
 * two while the key is being changed.
 * @throws ConfigError when one cannot be read, or is none.
 */
export async function knownKeys(directory: string, given: string | undefined): Promise<KnownKey[]> {
  const source = 'ORGCTL_SERVE_MASTER_KEY';
  if (given !== undefined) return [{ key: decodeMasterKey(given, `the master key (${source})`), source }];
  const known: KnownKey[] = [];
  for (const name of [masterKeyName, `${masterKeyName}.new`]) {
    const path = join(directory, name);
    const key = await readMasterKey(path);
    if (key !== undefined) known.push({ key, source: path });
  }
  return known;
}
