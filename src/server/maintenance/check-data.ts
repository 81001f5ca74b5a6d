import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ConfigError } from '../../errors/errors.js';
import { option } from '../../errors/server-option.js';
import { databaseName } from '../data/data-directory.js';
import { OldMasterKeys } from '../data/old-master-keys.js';
import { openEngine } from '../data/open-engine.js';
import {
  type DataSource,
  type InspectedData,
  inspectCopy,
  inspectShared,
  knownKeys,
  requireDatabase,
} from './inspected-data.js';
import { withCopy } from './staging.js';

/** What data holds, and the fingerprints of the master keys that are kept for earlier backups. */
export interface CheckedData extends InspectedData {
  readonly oldFingerprints: readonly string[];
}

export interface CheckOptions extends DataSource {
  /** The database that servers share, instead of the one in the directory. */
  readonly database?: string | undefined;
}

/**
 * Checks everything that is stored: the file and its structure, that rows and indexes say the same, that texts are texts,
 * that quotas count what is there, and that the master key opens what it sealed, and that old
 * master keys can be read. The embedded database is copied first,
 * so that its server may run, and nothing of what is damaged is changed.
 * @throws ConfigError when anything is wrong, or cannot be read.
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
    const hint = 'put a backup of the database in its place';
    return inspectShared(engine, { name: `the data in ${engine.place}`, hint, keys });
  }
  const file = join(path, databaseName);
  await requireDatabase(file);
  const hint = `put a backup in its place with: orgctl serve restore FILE ${option('force')} ${option('data', path)}`;
  return withCopy(file, tmpdir(), (copy) => inspectCopy(copy, { name: `the database ${file}`, hint, keys }));
}
