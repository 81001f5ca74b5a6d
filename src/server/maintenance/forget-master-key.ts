import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Kysely } from 'kysely';
import { ConfigError, describeFileError, UsageError } from '../../errors/errors.js';
import { toFingerprint } from '../../storage/database/cipher.js';
import type { Tables } from '../../storage/database/tables.js';
import { type Opens, opensIn } from '../../storage/encryption/unlock.js';
import type { Engine } from '../../storage/engine/engine.js';
import { openSqlite } from '../../storage/sqlite/engine.js';
import { databaseName, requireOwnDirectory } from '../data/data-directory.js';
import { MasterKeyFile } from '../data/master-key-file.js';
import type { OldMasterKey } from '../data/old-master-keys.js';
import { openEngine } from '../data/open-engine.js';
import { type DataSource, hasTables, knownKeys } from './inspected-data.js';
import { withCopy } from './staging.js';

export interface ForgetOptions extends DataSource {
  readonly database?: string | undefined;
  readonly fingerprints: readonly string[];
}

export interface ForgettableKey {
  readonly key: OldMasterKey;
  readonly neededBy: readonly string[];
}

/** Keys to forget, and unreadable files that may need one of them. */
export interface ForgettableKeys {
  readonly keys: readonly ForgettableKey[];
  readonly unreadable: readonly string[];
}

/** Finds old master keys. @throws UsageError for an unknown fingerprint; ConfigError if the data needs one of them */
export async function findKeysToForget(options: ForgetOptions): Promise<ForgettableKeys> {
  const directory = resolve(options.data);
  await requireOwnDirectory(directory);
  const old = chooseKeys(await oldKeys(directory, options), directory, options.fingerprints);
  if (old.length === 0) return { keys: [], unreadable: [] };
  if (options.database !== undefined) {
    const engine = await openEngine('', options.database);
    requireUnneeded(old, engine.place, await readOpens(engine));
  }
  const needed = new Map<OldMasterKey, string[]>(old.map((key) => [key, []]));
  const unreadable: string[] = [];
  const names = await databasesIn(directory);
  if (options.database === undefined && !names.includes(databaseName)) throw noData(directory);
  for (const name of names) {
    const file = join(directory, name);
    const opens = await withCopy(file, tmpdir(), async (copy) => readOpens(await openSqlite(copy))).catch(
      () => undefined,
    );
    if (opens === undefined && name === databaseName) throw unreadableData(file);
    if (opens === undefined) unreadable.push(file);
    else if (name === databaseName) requireUnneeded(old, file, opens);
    else for (const key of old) if (opens(key.key)) needed.get(key)?.push(file);
  }
  return { keys: [...needed].map(([key, neededBy]) => ({ key, neededBy })), unreadable };
}

/** Deletes old master keys permanently. @throws ConfigError if one is in use again, missing, or cannot be deleted */
export async function forgetKeys(keys: readonly ForgettableKey[], options: ForgetOptions): Promise<void> {
  const directory = resolve(options.data);
  const left = await oldKeys(directory, options);
  for (const { key } of keys) {
    if (!left.some(({ fingerprint }) => fingerprint === key.fingerprint)) {
      throw new ConfigError(
        `the master key ${key.fingerprint} is in use again or missing, and was not deleted`,
      );
    }
    await new MasterKeyFile(directory).old.forget(key);
  }
}

/** Excludes current keys, and those of an unfinished change. */
async function oldKeys(directory: string, options: ForgetOptions): Promise<OldMasterKey[]> {
  const file = new MasterKeyFile(directory);
  const current = [...(await knownKeys({ ...options, data: directory })), ...(await file.candidates())];
  const { keys } = await file.old.find();
  return keys.filter(({ key }) => !current.some((known) => known.key.equals(key)));
}

function chooseKeys(old: OldMasterKey[], directory: string, fingerprints: readonly string[]): OldMasterKey[] {
  if (fingerprints.length === 0) return old;
  return [...new Set(fingerprints)].map((fingerprint) => {
    const found = old.find((key) => key.fingerprint === fingerprint.toLowerCase());
    if (found !== undefined) return found;
    const kept = old.map((key) => key.fingerprint).join(', ');
    throw new UsageError(`old master key ${JSON.stringify(fingerprint)} not found in ${directory}`, {
      hint: kept === '' ? 'there are no old master keys' : `old master keys: ${kept}`,
    });
  });
}

function noData(place: string): ConfigError {
  return new ConfigError(`no data in ${place} shows which master keys it needs; none was deleted`, {
    hint: 'if the data is in a shared database, name that database',
  });
}

function unreadableData(file: string): ConfigError {
  return new ConfigError(`${file} cannot be read, and may need an old master key; none was deleted`, {
    hint: 'restore a backup',
  });
}

function requireUnneeded(old: readonly OldMasterKey[], place: string, opens: Opens): void {
  const needed = old.find(({ key }) => opens(key));
  if (needed === undefined) return;
  throw new ConfigError(`${place} is encrypted with the old master key ${toFingerprint(needed.key)}`, {
    hint: `to use that data again, replace the current key with the one in ${needed.source}`,
  });
}

async function databasesIn(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    throw new ConfigError(`${directory} cannot be read: ${describeFileError(error)}`, { cause: error });
  });
  const isKept = (name: string) =>
    name.startsWith(`${databaseName}.before-`) && !/-(?:wal|journal|shm|copying)$/.test(name);
  return names.filter((name) => name === databaseName || isKept(name));
}

async function readOpens(engine: Engine): Promise<Opens> {
  const database = new Kysely<Tables>({ dialect: engine.dialect });
  try {
    if (!engine.exclusive && !(await hasTables(database))) throw noData(engine.place);
    return await opensIn(database);
  } finally {
    await database.destroy();
  }
}
