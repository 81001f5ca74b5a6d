import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ConfigError } from '../../errors/errors.js';
import { databaseName } from '../data/data-directory.js';
import { OldMasterKeys } from '../data/old-master-keys.js';
import { openEngine, requireNotEmptied } from '../data/open-engine.js';
import {
  type DataSource,
  type InspectedData,
  inspectCopy,
  inspectShared,
  knownKeys,
  requireDatabase,
} from './inspected-data.js';
import { withCopy } from './staging.js';

export interface CheckedData extends InspectedData {
  readonly oldFingerprints: readonly string[];
}

export interface CheckOptions extends DataSource {
  readonly database?: string | undefined;
}

/**
 * Checks quota counts, encrypted values, old master keys and, in the embedded database, structure and text encoding.
 * Works while a server runs: checks a copy of the embedded database, and a snapshot of a shared one.
 * @throws ConfigError if anything is wrong or unreadable
 */
export async function checkData(options: CheckOptions): Promise<CheckedData> {
  const found = await inspectData(options);
  const { keys, problems } = await new OldMasterKeys(resolve(options.data)).find();
  const [problem, ...others] = problems;
  if (problem !== undefined) throw new ConfigError(problem, { problems: others });
  const old = keys.map(({ fingerprint }) => fingerprint);
  return { ...found, oldFingerprints: old.filter((fingerprint) => fingerprint !== found.fingerprint) };
}

async function inspectData({ data, database, masterKey }: CheckOptions): Promise<InspectedData> {
  const path = resolve(data);
  const keys = await knownKeys({ data: path, masterKey });
  if (database !== undefined) {
    const engine = await openEngine('', database);
    const hint = 'restore a backup of the database';
    return inspectShared(engine, { name: `the data in ${engine.place}`, hint, keys });
  }
  const file = join(path, databaseName);
  await requireDatabase(file);
  await requireNotEmptied(file);
  const damaged = { hint: 'restore a backup' };
  const options = { name: `the database ${file}`, ...damaged, keys };
  return withCopy(file, tmpdir(), (copy) => inspectCopy(copy, options));
}
