import { stat } from 'node:fs/promises';
import { option } from '../../contract/server-option.js';
import { ConfigError } from '../../errors.js';
import { decodeMasterKey, type KnownKey, MasterKeyFile } from '../data/master-key-file.js';

/** Where data is, and the key that it is encrypted with where that is not in a file beside it. */
export interface DataSource {
  /** The data directory. */
  readonly data: string;
  /** 64 hexadecimal characters. */
  readonly masterKey?: string | undefined;
}

/** @throws ConfigError when there is no such file. */
export async function requireData(database: string): Promise<void> {
  await stat(database).catch((cause: unknown) => {
    throw new ConfigError(`there is no data: ${database} cannot be found`, {
      hint: `name the data directory with ${option('data')}`,
      cause,
    });
  });
}

/**
 * The master keys that may open the data: the one given, or else those in the files of the directory.
 * @throws ConfigError when one cannot be read, or is none.
 */
export async function knownKeys({ data, masterKey }: DataSource): Promise<KnownKey[]> {
  if (masterKey === undefined) return new MasterKeyFile(data).candidates();
  const source = option('masterKey');
  return [{ key: decodeMasterKey(masterKey, `the master key (${source})`), source }];
}
