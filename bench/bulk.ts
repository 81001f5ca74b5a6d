/**
 * What bulk work takes: `connections create --file` against the embedded service, and against a bare undici pipeline
 * with as many requests under way.
 *
 *   npm run bench:bulk -- [--pairs N] [--entries N] [--json]
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from '../src/contract/schema.js';
import { timeToExit } from './child.js';
import { type Comparison, compare, toTable } from './comparison.js';
import { orgctl, withService } from './service.js';

const bareBulk = fileURLToPath(new URL('bare-bulk.js', import.meta.url));

export interface BulkOptions {
  readonly pairs: number;
  /** How many connections each run creates. */
  readonly entries: number;
}

/** Time of creating many connections from a file. */
export async function bulk({ pairs, entries }: BulkOptions): Promise<Comparison[]> {
  return withService(['--quota', 'connections=100000000'], async ({ directory, env }) => {
    const file = join(directory, 'entries.json');
    await writeFile(file, JSON.stringify(Array.from({ length: entries }, (_, at) => entry(at))));
    const create = [orgctl, 'connections', 'create', '--file', file, '-o', 'jsonl'];
    const bare = { name: 'bare undici', measure: () => timeToExit([bareBulk, file], env) };
    const name = `create --file, ${entries} entries`;
    return [await compare(name, () => timeToExit(create, env), bare, { pairs, target: 1.5 })];
  });
}

function entry(at: number) {
  const config = {
    host: 'db.test',
    port: 5432,
    database: `app_${at}`,
    user: 'app',
    password: 'p',
    ssl: true,
  };
  return { name: `connection-${at}`, type: 'postgresql', config };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      pairs: { type: 'string', default: '11' },
      entries: { type: 'string', default: '1000' },
      json: { type: 'boolean', default: false },
    },
  });
  const count = z.int().check(z.minimum(1));
  const pairs = z.parse(count, Number(values.pairs));
  const comparisons = await bulk({ pairs, entries: z.parse(count, Number(values.entries)) });
  const head = { node: process.version, pairs };
  console.log(values.json ? JSON.stringify({ ...head, comparisons }, null, 2) : toTable(comparisons));
}
