import { openEngine } from '../data/open-engine.js';
import { closing, type DataSource, type InspectedData, inspectData, withEmbedded } from './inspect-data.js';

export interface CheckOptions extends DataSource {
  readonly database?: string | undefined;
}

/** Checks structure, quota counts and encrypted values, also while a server runs. @throws ConfigError if anything is wrong */
export async function checkData(options: CheckOptions): Promise<InspectedData> {
  const check = (engine: Parameters<typeof inspectData>[0]) =>
    inspectData(engine, `the data in ${engine.place}`, options);
  if (options.database === undefined) return withEmbedded(options, check);
  return closing(await openEngine('', options.database), check);
}
