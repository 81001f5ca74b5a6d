import { stat } from 'node:fs/promises';
import { Kysely, sql } from 'kysely';
import { ConfigError, describeFileError } from '../../errors/errors.js';
import { createCipher, isFingerprint, toFingerprint } from '../../storage/database/cipher.js';
import { readSetting, removeSetting, writeSetting } from '../../storage/database/settings.js';
import type { Tables } from '../../storage/database/tables.js';
import { transact } from '../../storage/database/transact.js';
import { opensIn } from '../../storage/encryption/unlock.js';
import type { Engine } from '../../storage/engine/engine.js';
import { startError } from '../../storage/engine/start-error.js';
import { inspect } from '../../storage/inspect.js';
import { hasKnownSchema, prepareSchema } from '../../storage/schema.js';
import { DamagedDatabase } from '../../storage/sqlite/damaged-database.js';
import { openSqlite } from '../../storage/sqlite/engine.js';
import { MasterKeyFile } from '../data/master-key-file.js';
import { decodeMasterKey, type KnownKey } from '../data/master-key-text.js';

export interface InspectedData extends Readonly<Record<string, unknown>> {
  readonly organizations: number;
  readonly fingerprint: string;
}

export interface InspectOptions {
  readonly name: string;
  readonly hint: string;
  readonly keys: readonly KnownKey[];
  /** Hint if no key fits; gets the right key's fingerprint if the data contains it. */
  readonly keyHint?: (fingerprint: string | undefined) => string;
  readonly keyProblems?: readonly string[];
}

/**
 * Checks a copy of the embedded database completely.
 * @param stamp `stamped` writes the master key's fingerprint into the copy, `plain` removes it
 * @throws ConfigError if it is damaged or of another version, or no key opens it
 */
export async function inspectCopy(
  path: string,
  options: InspectOptions,
  stamp?: 'stamped' | 'plain',
): Promise<InspectedData> {
  const engine = await openSqlite(path, { full: true }).catch((error: unknown) => {
    throw error instanceof DamagedDatabase ? damagedData(options, error.findings, error) : error;
  });
  return withDatabase(engine, options, async (database) => {
    await prepareSchema(database, engine, options.name);
    const stamped = await readSetting(database, 'master_key_fingerprint');
    const inspected = await inspectAll(database, options, stamped);
    if (stamp === 'stamped') await writeSetting(database, 'master_key_fingerprint', inspected.fingerprint);
    if (stamp === 'plain') await removeSetting(database, 'master_key_fingerprint');
    return inspected;
  });
}

export function inspectShared(engine: Engine, options: InspectOptions): Promise<InspectedData> {
  return withDatabase(engine, options, (database) => {
    const work = async (transaction: Kysely<Tables>) => {
      if (!(await hasTables(transaction)) || !(await hasKnownSchema(transaction, options.name)))
        throw unused(engine.place);
      return inspectAll(transaction, options, undefined);
    };
    return transact(database, work, { snapshot: true });
  });
}

/** Whether a shared database has tables of a server. */
async function hasTables(database: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass('settings') is not null as found`.execute(
    database,
  );
  return rows[0]?.found === true;
}

async function withDatabase<Result>(
  engine: Engine,
  options: InspectOptions,
  work: (database: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  const database = new Kysely<Tables>({ dialect: engine.dialect });
  try {
    return await work(database);
  } catch (error) {
    throw startError(error, { hint: options.hint });
  } finally {
    await database.destroy();
  }
}

async function inspectAll(
  database: Kysely<Tables>,
  options: InspectOptions,
  stamped: string | undefined,
): Promise<InspectedData> {
  const { name, keys } = options;
  if ((await readSetting(database, 'master_key_check')) === undefined) {
    throw unused(name);
  }
  const opens = await opensIn(database);
  const fitting = keys.find(({ key }) => opens(key));
  if (fitting === undefined) throw noKeyFits(options, stamped);
  const { problems, organizations, counts } = await inspect(database, createCipher(fitting.key));
  if (problems.length > 0) throw damagedData(options, problems);
  return { organizations, ...counts, fingerprint: toFingerprint(fitting.key) };
}

function unused(name: string): ConfigError {
  return new ConfigError(`no data in ${name}`, { hint: 'no server has ever used it' });
}

function noKeyFits(options: InspectOptions, stamped: string | undefined): ConfigError {
  const { name, keys, keyHint = defaultKeyHint, keyProblems } = options;
  // The file's text is untrusted.
  const fingerprint = stamped !== undefined && isFingerprint(stamped) ? stamped : undefined;
  const unnamed = keys.length === 0 ? 'its master key, which is missing' : 'another master key';
  const needed = fingerprint === undefined ? unnamed : `the master key with fingerprint ${fingerprint}`;
  const given = keys.map(({ key, source }) => `${source} has ${toFingerprint(key)}`).join(', ');
  return new ConfigError(`${name} needs ${needed}${given === '' ? '' : `; ${given}`}`, {
    hint: keyHint(fingerprint),
    problems: keyProblems,
  });
}

function defaultKeyHint(): string {
  return 'put that key in master.key of the data directory, mode 0600, or give it as the master key';
}

function damagedData(
  { name, hint }: InspectOptions,
  findings: readonly string[],
  cause?: unknown,
): ConfigError {
  return new ConfigError(`${name} is damaged: ${findings[0] ?? 'it cannot be read'}`, {
    hint,
    problems: findings.slice(1),
    cause,
  });
}

export interface DataSource {
  readonly data: string;
  readonly masterKey?: string | undefined;
}

export async function requireDatabase(database: string): Promise<void> {
  await stat(database).catch((cause: unknown) => {
    throw new ConfigError(`no data: ${database}: ${describeFileError(cause)}`, {
      hint: 'choose the data directory of the server',
      cause,
    });
  });
}

/** The given master key, or those in the directory's files. @throws ConfigError if one is unreadable or invalid */
export async function knownKeys({ data, masterKey }: DataSource): Promise<KnownKey[]> {
  if (masterKey === undefined) return new MasterKeyFile(data).candidates();
  const source = 'the given master key';
  return [{ key: decodeMasterKey(masterKey, source), source }];
}
