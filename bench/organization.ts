/**
 * Time of working with an organization's file, compared with commands for the same work: `diff` with
 * `connections list --all`, and `apply` of new connections with `connections create --file`.
 *
 *   npm run bench:organization -- [--pairs N] [--entries N] [--json]
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { z } from '../src/api/schema/schema.js';
import { type Environment, timeToExit } from './child.js';
import { type Comparison, compare, toTable } from './comparison.js';
import { orgctl, withService } from './service.js';

export interface OrganizationOptions {
  readonly pairs: number;
  /** Number of connections in the organization and the file. */
  readonly entries: number;
}

/** Time of comparing connections with a file, and of creating them from it. */
export async function organization({ pairs, entries }: OrganizationOptions): Promise<Comparison[]> {
  const compared = await withService(['--quota', 'connections=100000000'], async ({ directory, env }) => {
    const { list, yaml, json } = await filesIn(directory, entries);
    await timeToExit([orgctl, 'connections', 'create', '--file', list, '-q'], env);
    const listing = [orgctl, 'connections', 'list', '--all', '-o', 'jsonl'];
    const baseline = { name: 'list --all', measure: () => timeToExit(listing, env) };
    const diff = (file: string) => () => timeToExit([orgctl, 'diff', file], env);
    const options = { pairs, target: 1.5 };
    return [
      await compare(`diff, ${entries} connections, YAML`, diff(yaml), baseline, options),
      await compare(`diff, ${entries} connections, JSON`, diff(json), baseline, options),
    ];
  });
  const name = `apply, ${entries} creations`;
  const baseline = { name: 'create --file', measure: () => creating('create', entries) };
  const options = { pairs, target: 1.3 };
  return [...compared, await compare(name, () => creating('apply', entries), baseline, options)];
}

/** Milliseconds of creating all, each time in a new organization, because a second apply would have nothing to do. */
function creating(command: 'apply' | 'create', entries: number): Promise<number> {
  return withService(['--quota', 'connections=100000000'], async ({ directory, env }) => {
    const { list, yaml } = await filesIn(directory, entries);
    const line = command === 'apply' ? ['apply', yaml, '--yes'] : ['connections', 'create', '--file', list];
    const secret: Environment = { ...env, APP_DB_PASSWORD: 'p' };
    return timeToExit([orgctl, ...line, '-o', 'jsonl'], secret);
  });
}

/** Writes the same connections as a list, and as an organization's file in YAML and JSON. */
async function filesIn(directory: string, entries: number) {
  const connections = Array.from({ length: entries }, (_, at) => connection(at, { env: 'APP_DB_PASSWORD' }));
  const list = Array.from({ length: entries }, (_, at) => connection(at, 'p'));
  const paths = { list: 'list.yaml', yaml: 'org.yaml', json: 'org.json' };
  const file = { version: 1, connections };
  const texts = { list: stringify(list), yaml: stringify(file), json: JSON.stringify(file, null, 2) };
  for (const form of ['list', 'yaml', 'json'] as const)
    await writeFile(join(directory, paths[form]), texts[form]);
  return {
    list: join(directory, paths.list),
    yaml: join(directory, paths.yaml),
    json: join(directory, paths.json),
  };
}

function connection(at: number, password: unknown) {
  const config = { host: 'db.test', port: 5432, database: `app_${at}`, user: 'app', password, ssl: true };
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
  const comparisons = await organization({ pairs, entries: z.parse(count, Number(values.entries)) });
  const head = { node: process.version, pairs };
  console.log(values.json ? JSON.stringify({ ...head, comparisons }, null, 2) : toTable(comparisons));
}
