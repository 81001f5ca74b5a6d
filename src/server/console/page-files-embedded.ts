import { getAsset } from 'node:sea';
import { z } from '../../api/schema/schema.js';

const fileNamesSchema = z.array(z.string());

/** `page-files.ts` for the standalone executable, which contains the files. */
export function readPageFiles(): Promise<ReadonlyMap<string, Buffer>> {
  const names = fileNamesSchema.parse(JSON.parse(getAsset('console', 'utf8')));
  return Promise.resolve(new Map(names.map((name) => [name, Buffer.from(getAsset(`console/${name}`))])));
}
