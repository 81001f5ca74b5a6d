import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { option } from '../../contract/server-option.js';
import { ConfigError, systemCodeOf } from '../../errors.js';
import { masterKeyLength } from '../../storage/cipher.js';
import {
  type KeyChanger,
  neitherOpens,
  type Rotation,
  rotateMasterKey,
} from '../../storage/rotate-master-key.js';
import type { ServerOptions } from '../server-options.js';
import { databaseName, requireOwnDirectory } from './data-directory.js';
import { decodeMasterKey, MasterKeyFile } from './master-key-file.js';
import { openEngine } from './open-engine.js';

export interface RotateOptions extends Pick<ServerOptions, 'database' | 'masterKey'> {
  /** The data directory. */
  readonly data: string;
  /** The key to change to, 64 hexadecimal characters; generated where keys are in files. */
  readonly newMasterKey?: string | undefined;
}

/** What was done, and the file that holds the new key, if any. */
export interface RotationOutcome extends Rotation {
  readonly keyFile?: string;
}

/**
 * Encrypts the data of a server with another master key. After an interruption, running it again or starting a server
 * completes the change. Concurrent runs wait for one another, or are refused.
 * @throws ConfigError when a server uses the data, a key is missing or does not fit, or the data cannot be written.
 */
export async function changeMasterKey(options: RotateOptions): Promise<RotationOutcome> {
  const path = resolve(options.data);
  const database = join(path, databaseName);
  await requireData(database, options);
  const { changer, keyFile } = await keysOf(path, options);
  const engine = await openEngine(database, options.database);
  const rotation = await rotateMasterKey(engine, changer);
  return { ...rotation, ...(keyFile !== undefined && { keyFile }) };
}

interface Keys {
  readonly changer: KeyChanger;
  readonly keyFile?: string;
}

async function keysOf(path: string, { masterKey, newMasterKey }: RotateOptions): Promise<Keys> {
  const given = newMasterKey === undefined ? undefined : decodeMasterKey(newMasterKey, nameOfNew);
  if (masterKey === undefined) return keysOfFiles(path, given);
  if (given === undefined) {
    throw new ConfigError('there is no new master key to change to', {
      hint: `set ${option('newMasterKey')}; make one with: node -p "crypto.randomBytes(32).toString('hex')"`,
    });
  }
  const current = decodeMasterKey(masterKey, `the master key (${option('masterKey')})`);
  if (current.equals(given)) throw new ConfigError('the new master key is the old one');
  return {
    changer: {
      begin: async (opens) => (opens(given) ? undefined : { current, next: given }),
      end: async () => undefined,
    },
  };
}

const nameOfNew = `the new master key (${option('newMasterKey')})`;

/** Nothing is written before the data is locked and its current key is known. */
async function keysOfFiles(directory: string, given: Buffer | undefined): Promise<Keys> {
  const file = new MasterKeyFile(directory);
  if ((await file.read()) === undefined && !(await file.isBeingChanged())) {
    throw new ConfigError(`${file.path} is missing`, {
      hint: `name the data directory with ${option('data')}, or set ${option('masterKey')}`,
    });
  }
  const changer: KeyChanger = {
    async begin(opens) {
      const settled = await file.settle(opens);
      const current = await file.read();
      if (current === undefined || !opens(current)) throw neitherOpens();
      // The interrupted change is the requested one, unless another key is given now.
      if (given === undefined ? settled === 'done' : given.equals(current)) return undefined;
      const next = given ?? randomBytes(masterKeyLength);
      await file.propose(next);
      return { current, next };
    },
    async end(opens) {
      await file.settle(opens);
    },
  };
  return { changer, keyFile: file.path };
}

async function requireData(file: string, { data, database, masterKey }: RotateOptions): Promise<void> {
  await requireOwnDirectory(resolve(data));
  const found = await stat(file).catch((cause: unknown) => {
    if (database !== undefined && systemCodeOf(cause) === 'ENOENT') return undefined;
    throw new ConfigError(`there is no data: ${file} cannot be found`, {
      hint: `name the data directory with ${option('data')}`,
      cause,
    });
  });
  if (found === undefined || database === undefined || masterKey !== undefined) return;
  throw new ConfigError(`the key in ${resolve(data)} is also that of ${file}, which would be lost with it`, {
    hint: `give the shared database a data directory of its own with ${option('data')}, or move that file away`,
  });
}
