/**
 * Time of `connections create --file` with the embedded service, compared with a bare undici client that has as many
 * concurrent requests.
 *
 *   npm run bench:bulk -- [--pairs N] [--entries N] [--json]
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { timeToExit } from './child.js';
import { whenStarted } from './command-line.js';
import { type Comparison, compare } from './comparison.js';
import { connectionNamed } from './entries.js';
import { orgctl, withService } from './service.js';

const bareBulk = fileURLToPath(new URL('bare-bulk.js', import.meta.url));

export interface BulkOptions {
  readonly pairs: number;
  /** How many connections each run creates. */
  readonly entries: number;
}

export async function bulk({ pairs, entries }: BulkOptions): Promise<Comparison[]> {
  return withService(['--quota', 'connections=100000000'], async ({ directory, env }) => {
    const file = join(directory, 'entries.json');
    await writeFile(
      file,
      JSON.stringify(Array.from({ length: entries }, (_, at) => connectionNamed(`connection-${at}`))),
    );
    const create = [orgctl, 'connections', 'create', '--file', file, '-o', 'jsonl'];
    const bare = { name: 'bare undici', measure: () => timeToExit([bareBulk, file], env) };
    const name = `create --file, ${entries} entries`;
    return [await compare(name, () => timeToExit(create, env), bare, { pairs, target: 1.5 })];
  });
}

await whenStarted(import.meta.url, { pairs: 11, entries: 1000 }, bulk);
