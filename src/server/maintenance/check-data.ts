import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import type { Kysely } from 'kysely';
import { controlCalls } from '../../api/control/calls.js';
import { controlAnswers } from '../../api/control/control-answers.js';
import { resources } from '../../api/resources/index.js';
import { z } from '../../api/schema/schema.js';
import { ConfigError, readMessage } from '../../errors/errors.js';
import { type Engine, startError } from '../../storage/engine.js';
import { additionalData, checkRing, fingerprintOf, KeyRing, sealedValues } from '../../storage/key-ring.js';
import { maxProblems, miscounts } from '../../storage/quotas.js';
import { prepareSchema } from '../../storage/schema.js';
import { DamagedDatabase, DirectoryInUse } from '../../storage/sqlite/engine.js';
import { resourceTables, sealedColumns, type Tables } from '../../storage/tables.js';
import { databaseName, openEngine } from '../data/data-directory.js';
import { readMasterKeys } from '../data/master-key.js';
import { readIfThere } from '../data/private-file.js';
import { readServerFile } from '../data/server-file.js';

export interface DataSource {
  readonly data: string;
  readonly database?: string | undefined;
  readonly masterKey?: string | undefined;
}

/** Checks all data, also while a server runs. @throws ConfigError if anything is wrong */
export async function checkData(options: DataSource) {
  const check = (engine: Engine) => inspectData(engine, `the data in ${engine.place}`, options);
  if (options.database === undefined) return withEmbedded(options, check);
  return closing(await openEngine('', options.database), check);
}

/** The path of the embedded database. @throws ConfigError if there is none */
export function existingDatabase({ data, database }: DataSource): string {
  const path = join(resolve(data), databaseName);
  if (database !== undefined || existsSync(path)) return path;
  throw new ConfigError(`no data: ${path} is missing`, { hint: 'choose the data directory of the server' });
}

/** Runs work with the embedded database, or with a copy if a server uses it. @throws ConfigError */
export async function withEmbedded<Result>(
  source: DataSource,
  work: (engine: Engine) => Promise<Result>,
): Promise<Result> {
  try {
    return await closing(await openEngine(existingDatabase(source), undefined), work);
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
  }
  const copy = await askForCopy(resolve(source.data));
  try {
    return await closing(await openEngine(copy, undefined), work);
  } finally {
    await rm(copy, { force: true });
  }
}

/** @param name for messages @throws as `inspectData` */
export async function inspectCopy(copy: string, name: string, source: DataSource) {
  const engine = await openEngine(copy, undefined).catch((error: unknown) => {
    if (error instanceof DamagedDatabase) requireSound(name, [error.problem]);
    throw error;
  });
  return closing(engine, () => inspectData(engine, name, source));
}

/** Closes the engine after the work. @throws ConfigError */
export async function closing<Result>(
  engine: Engine,
  work: (engine: Engine) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(engine);
  } catch (error) {
    throw startError(error, engine);
  } finally {
    await engine.close();
  }
}

/** Counts of the data, and the fingerprints of its master key and of older keys, behind the newest, that no data needs. */
export interface InspectedData extends Readonly<Record<string, unknown>> {
  readonly fingerprint: string;
  readonly oldFingerprints: readonly string[];
}

/** @throws ConfigError if the data is damaged or of another version, or no key opens it */
async function inspectData(
  engine: Engine,
  name: string,
  { data, masterKey }: DataSource,
): Promise<InspectedData> {
  requireSound(name, engine.findDamage?.() ?? []);
  await prepareSchema(engine, name);
  const keys = readMasterKeys(resolve(data), masterKey);
  const ring = keys && new KeyRing(...keys);
  return engine.readSnapshot(async (database) => {
    const fingerprint = await checkRing(database, ring);
    if (fingerprint === undefined || ring === undefined)
      throw new ConfigError(`${name} is empty`, { hint: 'if a server has used it, restore a backup' });
    const { problems, fingerprints, ...counts } = await inspect(database, ring);
    requireSound(name, problems);
    const isUnused = (key: string) => key !== fingerprint && !fingerprints.has(key);
    return { ...counts, fingerprint, oldFingerprints: ring.fingerprints.slice(1).filter(isUnused) };
  });
}

/** Counts all data, and checks quota counts and encrypted values. */
async function inspect(database: Kysely<Tables>, ring: KeyRing) {
  const problems = await miscounts(database);
  const fingerprints = new Set<string>();
  for (const column of Object.values(sealedColumns)) {
    for await (const values of sealedValues(database, column)) {
      for (const { id, sealed } of values) {
        fingerprints.add(fingerprintOf(sealed));
        try {
          ring.open(sealed, additionalData(column, id));
        } catch (error) {
          problems.push(`the encrypted data of ${id} cannot be opened: ${readMessage(error)}`);
        }
      }
    }
  }
  const counts: Record<string, number> = {};
  for (const { property, table } of [...resources, { property: 'organizations', table: 'organizations' }]) {
    const query = resourceTables(database)
      .selectFrom(table)
      .select((column) => column.fn.countAll().as('count'));
    counts[property] = Number((await query.executeTakeFirstOrThrow()).count);
  }
  return { ...counts, fingerprints, problems: problems.slice(0, maxProblems) };
}

function requireSound(name: string, [problem, ...problems]: readonly string[]): void {
  if (problem === undefined) return;
  throw new ConfigError(`${name} is damaged: ${problem}`, { hint: 'restore an undamaged backup', problems });
}

/** Asks the server of a data directory for a copy of the database. @returns its path @throws ConfigError */
async function askForCopy(directory: string): Promise<string> {
  try {
    const { control, token, caFile } = readServerFile(directory);
    const url = `${control}${controlCalls['data.copy'].path}`;
    const ca = caFile === undefined ? undefined : readIfThere(caFile, 'public');
    const options = { method: 'POST', headers: { authorization: `Bearer ${token}` }, ...(ca && { ca }) };
    const sent = url.startsWith('https:') ? requestHttps(url, options) : requestHttp(url, options);
    const [response] = await once(sent.end(), 'response');
    if (response.statusCode !== 201) throw new Error(`it answered ${response.statusCode}`);
    return join(directory, z.parse(controlAnswers['data.copy'], await json(response)).copy);
  } catch (cause) {
    const what = `the server that uses ${directory} did not copy its data: ${readMessage(cause)}`;
    throw new ConfigError(what, { hint: 'see its log, or stop it first', cause });
  }
}
