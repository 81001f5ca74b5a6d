/**
 * The cost of `orgctl proxy`: GETs to the built server through the proxy and directly, over many connections and over
 * one; and the proxy's memory with 1,000 connections, some of which never read.
 *
 * Server, proxy and load share this machine's cores: two processes without the proxy, three with it. With two cores,
 * the ratio therefore falls even if the proxy delays nothing, and more so on a busy machine. Processor time per request
 * does not depend on that, and `bare-proxy.js`, which is only Node's server in front of undici, shows what is possible.
 *
 *   npm run bench:proxy -- [--rounds N] [--seconds N] [--json]
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { z } from '../src/api/schema/schema.js';
import { type RunningChild, startChild } from './child.js';
import { whenStarted } from './command-line.js';
import { against, type Comparison, row } from './comparison.js';
import { inTurn } from './figures.js';
import { processorTime } from './processor-time.js';
import { orgctl, type Service, withService } from './service.js';
import { readQuotas, residentMegabytes, serviceUnderLoad, type UnderLoad } from './under-load.js';

export interface ProxyBenchOptions {
  readonly rounds: number;
  /** Duration of each load. */
  readonly seconds: number;
}

const readySchema = z.object({ url: z.string() });

interface RunningProxy extends RunningChild {
  readonly url: string;
}

async function startProxy(env: Readonly<Record<string, string>>): Promise<RunningProxy> {
  const child = await startChild([orgctl, 'proxy', '--port', '0', '-o', 'json'], env);
  return { ...child, url: z.parse(readySchema, JSON.parse(child.line)).url };
}

/** Rates, latencies and processor time with the proxy, and its memory. */
export function proxy(options: ProxyBenchOptions): Promise<Comparison[]> {
  return withService([], async (service) => {
    const child = await startProxy(service.env);
    const bare = await startBareProxy(service.env);
    try {
      const [through, past] = [child, bare].map((each) => ({ ...each, ...credentialOf(service) }));
      if (through === undefined || past === undefined) return [];
      const many = await measure(service, through, options);
      const least = await measure(service, past, options);
      const one = await measure(service, through, { ...options, connections: 1 });
      const added = one.through.map(({ p50 }, round) => p50 - (one.direct[round]?.p50 ?? Number.NaN));
      return [
        compare('GET /quotas, 32 connections', many, ({ rate }) => rate, {
          unit: '/s',
          target: 0.6,
          bound: 'at least',
        }),
        compare('GET /quotas, 32 connections, bare proxy', least, ({ rate }) => rate, { unit: '/s' }),
        compare('GET /quotas, median latency', many, ({ p50 }) => p50),
        against(
          'processor time per request',
          many.through.map(({ processor }) => processor),
          { name: 'bare proxy', values: least.through.map(({ processor }) => processor) },
        ),
        row('1 connection: added median latency', added, { target: 1 }),
        row('memory after the load', [residentMegabytes(child.pid)], { unit: 'MB', target: 120 }),
        row('peak memory under overload', [await overload()], { unit: 'MB', target: 120 }),
      ];
    } finally {
      await child.stop();
      await bare.stop();
    }
  });
}

const bareProxy = fileURLToPath(new URL('bare-proxy.js', import.meta.url));

async function startBareProxy(env: Readonly<Record<string, string>>): Promise<RunningProxy> {
  const child = await startChild([bareProxy], env);
  return { ...child, url: child.line };
}

function credentialOf({ keyId, secret }: Service) {
  return { keyId, secret };
}

/** `processor`: milliseconds of processor time that the process used per request. */
interface Processed extends UnderLoad {
  readonly processor: number;
}

interface Measured {
  readonly direct: readonly Processed[];
  readonly through: readonly Processed[];
}

type Target = Pick<Service, 'url' | 'keyId' | 'secret' | 'pid'>;

async function measure(
  direct: Target & { readonly caFile?: string },
  through: Target,
  { rounds, seconds, connections }: ProxyBenchOptions & { readonly connections?: number },
): Promise<Measured> {
  const load = async (target: Target): Promise<Processed> => {
    const before = processorTime(target.pid);
    const result = await serviceUnderLoad(target, readQuotas, seconds, connections);
    return { ...result, processor: (processorTime(target.pid) - before) / result.requests };
  };
  const of = await inTurn(rounds, { direct: () => load(direct), through: () => load(through) });
  return { direct: of('direct'), through: of('through') };
}

function compare(
  name: string,
  { direct, through }: Measured,
  figure: (of: Processed) => number,
  rest: Partial<Comparison> = {},
): Comparison {
  const other = { name: 'direct', values: direct.map(figure) };
  return { ...against(`proxy: ${name}`, through.map(figure), other), ...rest };
}

/** 1,000 connections: half repeat requests, a quarter never read a response of 1 MiB, a quarter stop within a body. */
async function overload(): Promise<number> {
  const large = Buffer.alloc(1024 * 1024, 'x');
  const upstream = createServer((request, response) => {
    request.resume().on('end', () => response.end(request.url === '/large' ? large : 'ok'));
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const { port }: Pick<AddressInfo, 'port'> = z.parse(z.object({ port: z.int() }), upstream.address());
  const child = await startProxy({
    ORGCTL_BASE_URL: `http://127.0.0.1:${port}`,
    ORGCTL_CONFIG_DIR: '/nonexistent',
    HOME: '/nonexistent',
  });
  const sockets = Array.from({ length: 1000 }, (_, at) => openClient(child.url, at));
  let peak = 0;
  for (let turn = 0; turn < 20; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    peak = Math.max(peak, residentMegabytes(child.pid));
  }
  for (const socket of sockets) socket.destroy();
  await child.stop();
  upstream.close().closeAllConnections();
  return peak;
}

function openClient(url: string, at: number): Socket {
  const { host, hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const head = (line: string, rest = '') => `${line} HTTP/1.1\r\nHost: ${host}\r\n${rest}\r\n`;
  if (at % 4 === 0) return write(socket.pause(), head('GET /large'));
  if (at % 4 === 1) return write(socket, head('POST /', 'Content-Length: 9000000\r\n') + 'x'.repeat(10_000));
  const again = () => socket.write(head('GET /'));
  socket.on('data', again);
  return write(socket, head('GET /'));
}

function write(socket: Socket, text: string): Socket {
  socket.write(text);
  return socket;
}

await whenStarted(import.meta.url, { rounds: 5, seconds: 2 }, proxy);
