/**
 * Most benchmarks; not those for PostgreSQL, which must be installed (`bench:postgres`), the proxy (`bench:proxy`) and
 * long load (`bench:soak`). Takes about ten minutes, or two with `--quick`.
 *
 *   npm run bench -- [--quick] [--json]
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { alternatives } from './alternatives.js';
import { bulk } from './bulk.js';
import { type Comparison, toTable } from './comparison.js';
import { lists } from './lists.js';
import { organization } from './organization.js';
import { server } from './server.js';
import { startUp } from './start-up.js';

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});

const { pairs, rounds, seconds, items } = values.quick
  ? { pairs: 5, rounds: 2, seconds: 1, items: 20_000 }
  : { pairs: 21, rounds: 5, seconds: 3, items: 100_000 };

const parts: Record<string, () => Promise<Comparison[]>> = {
  'Starts and requests': () => startUp({ pairs }),
  'Long lists': () => lists({ rounds, items }),
  'Bulk work': () => bulk({ pairs: Math.ceil(pairs / 2), entries: 1000 }),
  'An organization as a file': () => organization({ pairs: Math.ceil(pairs / 2), entries: 1000 }),
  'The server': () => server({ rounds, seconds }),
  'Compared with alternatives': () => alternatives({ pairs, seconds }),
};

const measured: Record<string, Comparison[]> = {};
for (const [title, measure] of Object.entries(parts)) {
  measured[title] = await measure();
  if (!values.json) console.log(`${title}\n\n${toTable(measured[title])}\n`);
}
const machine = { node: process.version, processors: cpus().map(({ model }) => model) };
if (values.json) console.log(JSON.stringify({ ...machine, measured }, null, 2));
