/**
 * What a long list takes: time, and the most memory. The pages come from the least server there can be, for the
 * embedded one takes longer over a page than the client does.
 *
 *   npm run bench:lists -- [--rounds N] [--items N] [--json]
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from '../src/contract/schema.js';
import { type Environment, startChild, type WatchedRun, watch } from './child.js';
import { type Comparison, median, toTable } from './comparison.js';
import { orgctl, withService } from './service.js';

const pageServer = fileURLToPath(new URL('page-server.js', import.meta.url));
const bareList = fileURLToPath(new URL('bare-list.js', import.meta.url));

const formats = ['jsonl', 'csv', 'table', 'json'];

export interface ListsOptions {
  readonly rounds: number;
  /** How long the list is; a tenth of it is read too. */
  readonly items: number;
}

/** Time and memory of `connections list --all` in each format, in turn with a bare reader of the same pages. */
export async function lists({ rounds, items }: ListsOptions): Promise<Comparison[]> {
  // For its key and its certificate alone.
  return withService([], async ({ env, data }) => {
    const long = await startPages(items, data);
    const short = await startPages(items / 10, data);
    try {
      const to = (url: string): Environment => ({ ...env, ORGCTL_BASE_URL: url });
      const list = (format: string) => [orgctl, 'connections', 'list', '--all', '-o', format];
      const measures = new Map([
        ['bare', () => watch([bareList], to(long.line))],
        ['short', () => watch(list('jsonl'), to(short.line))],
        ...formats.map((format) => [format, () => watch(list(format), to(long.line))] as const),
      ]);
      const runs = await inTurn(rounds, measures);
      return rows(items, runs);
    } finally {
      await Promise.all([long.stop(), short.stop()]);
    }
  });
}

function startPages(items: number, data: string) {
  return startChild([pageServer], { ORGCTL_DATA: data, ORGCTL_ITEMS: String(items) });
}

/** Each in turn, round after round, so that a change in the machine's load falls on all of them. */
async function inTurn(
  rounds: number,
  measures: ReadonlyMap<string, () => Promise<WatchedRun>>,
): Promise<ReadonlyMap<string, readonly WatchedRun[]>> {
  const runs = new Map([...measures.keys()].map((name): [string, WatchedRun[]] => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, measure] of measures) runs.get(name)?.push(await measure());
  }
  return runs;
}

function rows(items: number, runs: ReadonlyMap<string, readonly WatchedRun[]>): Comparison[] {
  const time = (run: string) => median((runs.get(run) ?? []).map(({ elapsed }) => elapsed));
  const memory = (run: string) => median((runs.get(run) ?? []).map(({ peakMegabytes }) => peakMegabytes));
  const listed = (format: string) => `list --all -o ${format}, ${items} items`;
  const compared = (format: string, against: string, name: string, target?: number): Comparison => {
    const baseline = { name, median: time(against), ratio: time(format) / time(against) };
    return { name: listed(format), median: time(format), baseline, target };
  };
  return [
    compared('jsonl', 'bare', 'bare undici'),
    // As much as ten times for ten times as many: linear.
    compared('jsonl', 'short', `${items / 10} items`, 10),
    compared('csv', 'jsonl', 'jsonl'),
    compared('table', 'jsonl', 'jsonl', 2),
    compared('json', 'jsonl', 'jsonl', 2),
    ...formats.map((format): Comparison => {
      const target = format === 'jsonl' || format === 'csv' ? 120 : undefined;
      return { name: `${listed(format)}: peak memory`, median: memory(format), unit: 'MB', target };
    }),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '3' },
      items: { type: 'string', default: '100000' },
      json: { type: 'boolean', default: false },
    },
  });
  const count = z.int().check(z.minimum(1));
  const rounds = z.parse(count, Number(values.rounds));
  const items = z.parse(count, Number(values.items));
  const comparisons = await lists({ rounds, items });
  const head = { node: process.version, rounds };
  console.log(values.json ? JSON.stringify({ ...head, comparisons }, null, 2) : toTable(comparisons));
}
