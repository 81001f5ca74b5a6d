/**
 * The built server under load, compared with a bare node:https server that verifies signatures and, for POSTs, appends
 * lines to a file and syncs all that are waiting together.
 *
 *   npm run bench:server -- [--rounds N] [--seconds N] [--json]
 */
import { fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { startChild } from './child.js';
import { whenStarted } from './command-line.js';
import { against, type Comparison, row } from './comparison.js';
import { figureOf, inTurn } from './figures.js';
import { bareEnvironment, type Service, withService } from './service.js';
import {
  createConnection,
  type LoadRequest,
  readQuotas,
  residentMegabytes,
  serviceUnderLoad,
  type UnderLoad,
} from './under-load.js';

const bareServer = fileURLToPath(new URL('bare-server.js', import.meta.url));
const bareName = 'bare node:https + HMAC';

export interface ServerOptions {
  readonly rounds: number;
  /** Duration of each load. */
  readonly seconds: number;
}

/** Rates, latencies and memory of `serve` with its data on disk. */
export function server(options: ServerOptions): Promise<Comparison[]> {
  return withService(['--quota', 'connections=100000000'], async (service) => {
    const place = { ORGCTL_DATA: service.data, ORGCTL_SECRET: service.secret };
    const other = await startChild([bareServer], { ...bareEnvironment(service.directory), ...place });
    const measure = measuring(service, { ...service, url: other.line }, options);
    try {
      const reads = await measure(readQuotas);
      const afterReads = residentMegabytes(service.pid);
      const creations = await measure(createConnection);
      const alone = { rounds: options.rounds, seconds: options.seconds, connections: 1 };
      const single = await measuring(service, { ...service, url: other.line }, alone)(readQuotas);
      return [
        ...rowsOf('GET /quotas', reads, 0.8),
        ...rowsOf('POST /connections', creations, 0.5, formula(service.directory)),
        compared('GET /quotas, 1 connection, median latency', single, ({ p50 }) => p50),
        row('serve: memory after the GETs', [afterReads], { unit: 'MB', target: 100 }),
        row('serve: memory after the POSTs', [residentMegabytes(service.pid)], { unit: 'MB', target: 100 }),
      ];
    } finally {
      await other.stop();
    }
  });
}

interface Measured {
  readonly own: readonly UnderLoad[];
  readonly bare: readonly UnderLoad[];
}

function measuring(own: Service, bare: Service, options: ServerOptions & { readonly connections?: number }) {
  return async (request: LoadRequest): Promise<Measured> => {
    const { rounds, seconds, connections } = options;
    const load = (service: Service, duration = seconds) =>
      serviceUnderLoad(service, request, duration, connections);
    // Warms up until V8 has compiled the code, of which `serve` has more than the bare server.
    await load(own, 3 * seconds);
    await load(bare, seconds);
    const of = await inTurn(rounds, { own: () => load(own), bare: () => load(bare) });
    return { own: of('own'), bare: of('bare') };
  };
}

function rowsOf(name: string, measured: Measured, target: number, note?: string): Comparison[] {
  const rate = compared(name, measured, (figures) => figures.rate);
  return [
    { ...rate, unit: '/s', target, bound: 'at least', note },
    compared(`${name}, p99 latency`, measured, ({ p99 }) => p99),
  ];
}

function compared(name: string, { own, bare }: Measured, figure: (of: UnderLoad) => number): Comparison {
  return against(`serve: ${name}`, own.map(figure), { name: bareName, values: bare.map(figure) });
}

/** What limits the rate of creations, with the speed of this machine's disk. */
function formula(directory: string): string {
  const { median } = figureOf([1, 2, 3, 4, 5].map(() => syncsPerSecond(directory)));
  return `a group of g creations takes g × their CPU time + one sync; the disk syncs ${median.toFixed(0)} single writes per second`;
}

/** Small writes per second that the disk can sync one by one, which limits commits without grouping. */
function syncsPerSecond(directory: string): number {
  const file = openSync(join(directory, 'sync'), 'w', 0o600);
  const started = performance.now();
  const times = 100;
  for (let turn = 0; turn < times; turn += 1) {
    writeSync(file, Buffer.alloc(4096, turn));
    fdatasyncSync(file);
  }
  return times / ((performance.now() - started) / 1000);
}

await whenStarted(import.meta.url, { rounds: 5, seconds: 3 }, server);
