/**
 * Time and peak memory of listing many connections. The pages come from a minimal server, because the embedded service
 * takes longer for a page than the client does; then the same from `serve`, with its time for the first and last page.
 *
 *   npm run bench:lists -- [--rounds N] [--items N] [--json]
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild, type WatchedRun, watch } from './child.js';
import { whenStarted } from './command-line.js';
import { against, type Comparison, row } from './comparison.js';
import { connectionNamed } from './entries.js';
import { inTurn, type Results } from './figures.js';
import { orgctl, type Service, withService } from './service.js';
import { serviceUnderLoad } from './under-load.js';

const pageServer = fileURLToPath(new URL('page-server.js', import.meta.url));
const bareList = fileURLToPath(new URL('bare-list.js', import.meta.url));

export interface ListsOptions {
  readonly rounds: number;
  /** Length of the list; a list of a tenth of this length is also read. */
  readonly items: number;
}

type Run = 'bare' | 'short' | 'jsonl' | 'csv' | 'table' | 'json';

/** Time and memory of `connections list --all` in each format, and of a bare reader of the same pages. */
export async function lists(options: ListsOptions): Promise<Comparison[]> {
  return [...(await ofPageServer(options)), ...(await ofServe(options))];
}

const listing = (format: string) => [orgctl, 'connections', 'list', '--all', '-o', format];

function ofPageServer({ rounds, items }: ListsOptions): Promise<Comparison[]> {
  // The service is needed only for its key and certificate.
  return withService([], async ({ env, data }) => {
    const long = await startPages(items, data);
    const short = await startPages(items / 10, data);
    const list = (format: string, { line }: { line: string }) =>
      watch(listing(format), { ...env, ORGCTL_BASE_URL: line });
    try {
      const of = await inTurn<Run, WatchedRun>(rounds, {
        bare: () => watch([bareList], { ...env, ORGCTL_BASE_URL: long.line }),
        short: () => list('jsonl', short),
        jsonl: () => list('jsonl', long),
        csv: () => list('csv', long),
        table: () => list('table', long),
        json: () => list('json', long),
      });
      return rows(items, of);
    } finally {
      await Promise.all([long.stop(), short.stop()]);
    }
  });
}

function startPages(items: number, data: string) {
  return startChild([pageServer], { ORGCTL_DATA: data, ORGCTL_ITEMS: String(items) });
}

function rows(items: number, of: Results<Run, WatchedRun>): Comparison[] {
  const times = (run: Run) => of(run).map(({ elapsed }) => elapsed);
  const memory = (run: Run) => of(run).map(({ peakMegabytes }) => peakMegabytes);
  const listed = (format: string) => `list --all -o ${format}, ${items} items`;
  const compared = (format: Run, other: Run, name: string, target?: number) =>
    against(listed(format), times(format), { name, values: times(other) }, { target });
  return [
    compared('jsonl', 'bare', 'bare undici'),
    // At most ten times the time for ten times the items: linear.
    compared('jsonl', 'short', `${items / 10} items`, 10),
    compared('csv', 'jsonl', 'jsonl'),
    compared('table', 'jsonl', 'jsonl', 2),
    compared('json', 'jsonl', 'jsonl', 2),
    ...(['jsonl', 'csv', 'table', 'json'] as const).map((format) => {
      const target = format === 'jsonl' || format === 'csv' ? 120 : undefined;
      return row(`${listed(format)}: peak memory`, memory(format), { unit: 'MB', target });
    }),
  ];
}

/** The same number of connections, listed by `serve`. */
function ofServe({ rounds, items }: ListsOptions): Promise<Comparison[]> {
  return withSeed(items, async (service) => {
    const page = (number: number) => async () => {
      const request = { method: 'GET', target: `/connections?limit=100&page=${number}`, expected: 200 };
      return (await serviceUnderLoad(service, request, 1, 1)).p50;
    };
    const whole = async () => (await watch(listing('jsonl'), service.env)).elapsed;
    const bare = async () => (await watch([bareList], service.env)).elapsed;
    const of = await inTurn(rounds, { first: page(1), far: page(Math.floor(items / 100)), whole, bare });
    return [
      // The last page takes longer, because the database counts off all rows before it.
      against(
        'serve: the last page of 100',
        of('far'),
        { name: 'the first page', values: of('first') },
        { target: 10 },
      ),
      against(`list --all -o jsonl, ${items} items from serve`, of('whole'), {
        name: 'bare undici',
        values: of('bare'),
      }),
    ];
  });
}

async function withSeed(items: number, work: (service: Service) => Promise<Comparison[]>) {
  const seed = async (directory: string): Promise<readonly string[]> => {
    const file = join(directory, 'seed.json');
    const connections = Array.from({ length: items }, (_, at) => connectionNamed(`connection-${at}`));
    const quotas = { connections: 2 * items };
    const organization = { name: 'bench', quotas, keys: [{ id: 'key_bench' }], connections };
    await writeFile(file, JSON.stringify({ organizations: [organization] }));
    return ['--seed', file];
  };
  return withService(seed, work);
}

await whenStarted(import.meta.url, { rounds: 3, items: 100_000 }, lists);
