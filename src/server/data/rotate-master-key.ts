import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ConfigError, describeFileError, readSystemCode } from '../../errors/errors.js';
import { option } from '../../errors/server-option.js';
import { masterKeyLength, toFingerprint } from '../../storage/database/cipher.js';
import type { Opens } from '../../storage/encryption/unlock.js';
import {
  type KeyChanger,
  neitherOpens,
  type Rotation,
  resealDatabase,
} from '../../storage/rotate-master-key.js';
import type { ServerOptions } from '../options/server-options.js';
import { databaseName, requireOwnDirectory } from './data-directory.js';
import { MasterKeyFile, type Settled } from './master-key-file.js';
import { decodeMasterKey } from './master-key-text.js';
import type { KeptKey } from './old-master-keys.js';
import { openEngine } from './open-engine.js';

export interface RotateKeyOptions extends Pick<ServerOptions, 'database' | 'masterKey'> {
  readonly data: string;
  /** 64 hexadecimal characters; generated if keys are in files. */
  readonly newMasterKey?: string | undefined;
}

export interface RotationOutcome extends Rotation {
  readonly keyFile?: string;
  readonly replaced: readonly KeptKey[];
}

/**
 * Re-encrypts a server's data with another master key. Archives a key from a file, for backups; a given one is the
 * caller's to keep. After an interruption, run it again or start a server. Concurrent runs wait or are refused.
 * @throws ConfigError if a server uses the data, a key is missing or wrong, or the data is unwritable
 */
export async function changeMasterKey(options: RotateKeyOptions): Promise<RotationOutcome> {
  const path = resolve(options.data);
  const database = join(path, databaseName);
  await requireDataFile(database, options);
  const { changer, keyFile, replaced } = await readKeys(path, options);
  const engine = await openEngine(database, options.database);
  const rotation = await resealDatabase(engine, changer);
  return { ...rotation, replaced, ...(keyFile !== undefined && { keyFile }) };
}

interface MasterKeys {
  readonly changer: KeyChanger;
  readonly keyFile?: string;
  readonly replaced: readonly KeptKey[];
}

async function readKeys(path: string, { masterKey, newMasterKey }: RotateKeyOptions): Promise<MasterKeys> {
  const given = newMasterKey === undefined ? undefined : decodeMasterKey(newMasterKey, nameOfNew);
  if (masterKey === undefined) return keysOfFiles(path, given);
  if (given === undefined) {
    throw new ConfigError('there is no new master key to rotate to', {
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
    replaced: [{ fingerprint: toFingerprint(current) }],
  };
}

const nameOfNew = `the new master key (${option('newMasterKey')})`;

/** Writes nothing until the data is locked and its current key known. */
async function keysOfFiles(directory: string, given: Buffer | undefined): Promise<MasterKeys> {
  const file = new MasterKeyFile(directory);
  if ((await file.read()) === undefined && !(await file.isBeingChanged())) {
    throw new ConfigError(`${file.path} is missing`, {
      hint: `point to the data directory: ${option('data', 'DIR')}; or set ${option('masterKey')}`,
    });
  }
  const replaced: KeptKey[] = [];
  const settle = async (opens: Opens): Promise<Settled | undefined> => {
    const settled = await file.settle(opens);
    if (settled?.kept !== undefined) replaced.push(settled.kept);
    return settled;
  };
  const changer: KeyChanger = {
    async begin(opens) {
      const settled = await settle(opens);
      const current = await file.read();
      if (current === undefined || !opens(current)) throw neitherOpens();
      if (given === undefined ? settled?.result === 'done' : given.equals(current)) return undefined;
      const next = given ?? randomBytes(masterKeyLength);
      await file.propose(next);
      return { current, next };
    },
    async end(opens) {
      await settle(opens);
    },
  };
  return { changer, keyFile: file.path, replaced };
}

async function requireDataFile(file: string, { data, database, masterKey }: RotateKeyOptions): Promise<void> {
  await requireOwnDirectory(resolve(data));
  const found = await stat(file).catch((cause: unknown) => {
    if (database !== undefined && readSystemCode(cause) === 'ENOENT') return undefined;
    throw new ConfigError(`no data: ${file}: ${describeFileError(cause)}`, {
      hint: `point to the data directory: ${option('data', 'DIR')}`,
      cause,
    });
  });
  if (found === undefined || database === undefined || masterKey !== undefined) return;
  throw new ConfigError(`the key in ${resolve(data)} is also the key of ${file}, whose data would be lost`, {
    hint: `give the shared database a data directory of its own with ${option('data')}, or move that file away`,
  });
}
