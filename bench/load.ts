/**
 * Puts load on one or several servers from a process of its own: for the given seconds, each of the given connections
 * stays open and has one request at a time. Prints one line of JSON. Writes requests as bytes, to use little CPU.
 *
 *   node --import tsx bench/load.ts '{"servers":[{"url":…,"caFile":…}],"keys":[{"keyId":…,"secret":…}],"method":"GET",…}'
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { connect as connectSecurely } from 'node:tls';
import { z } from '../src/api/schema/schema.js';
import { signedHeaders } from '../src/signing/index.js';
import { quantile } from './figures.js';

const keySchema = z.object({ keyId: z.string(), secret: z.string() });
type Key = z.output<typeof keySchema>;
const serverSchema = z.object({ url: z.string(), caFile: z.optional(z.string()) });
type Server = z.output<typeof serverSchema>;

const planSchema = z.object({
  /** `caFile` is needed only for https. */
  servers: z.array(serverSchema),
  /** Sign requests in turn. */
  keys: z.array(keySchema),
  method: z.string(),
  target: z.string(),
  body: z._default(z.string(), ''),
  expected: z.int(),
  connections: z.int(),
  seconds: z.number(),
});

const plan = z.parse(planSchema, JSON.parse(process.argv[2] ?? ''));
const latencies: number[] = [];
let failure: string | undefined;

/** The bytes of the next request. There is one request for each key, signed again every second, for all servers. */
const request = (() => {
  let second = 0;
  let next = 0;
  let signed: Buffer[] = [];
  return (): Buffer => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) {
      second = now;
      signed = plan.keys.map((key) => requestAt(String(now), key));
    }
    next = (next + 1) % signed.length;
    return signed[next] ?? Buffer.alloc(0);
  };
})();

function requestAt(timestamp: string, key: Key): Buffer {
  const { method, target, body } = plan;
  const contentType = body === '' ? '' : 'application/json';
  const signable = { method, target, timestamp, contentType, body: Buffer.from(body) };
  const headers = Object.entries({
    Host: new URL(plan.servers[0]?.url ?? 'http://localhost').host,
    ...signedHeaders(key, signable),
    ...(body === '' ? {} : { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) }),
  });
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([`${method} ${target} HTTP/1.1`, ...lines, '', body].join('\r\n'));
}

/** Bytes of the response at the start of `received`; `undefined` while its head is incomplete. */
function lengthOfAnswer(received: Buffer): number | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, end + 2)) ?? [];
  return end + 4 + Number(length);
}

function open({ url, caFile }: Server): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const { protocol, hostname, port } = new URL(url);
    const place = { host: hostname, port: Number(port) };
    const opened = () => resolve(socket);
    const ca = caFile === undefined ? undefined : readFileSync(caFile);
    const socket: Socket =
      protocol === 'https:' ? connectSecurely({ ...place, ca }, opened) : connect(place, opened);
    socket.once('error', reject);
  });
}

/** Sends one request after another until the time is over. */
function exchange(socket: Socket, end: number): Promise<void> {
  return new Promise((resolve) => {
    let received: Buffer = Buffer.alloc(0);
    let started = performance.now();
    const wanted = `HTTP/1.1 ${plan.expected} `;
    const finish = (problem?: string) => {
      failure ??= problem;
      socket.removeAllListeners('close');
      socket.destroy();
      resolve();
    };
    socket.on('error', (error) => finish(error.message));
    socket.on('close', () => finish('the server closed a connection'));
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const length = lengthOfAnswer(received);
      if (length === undefined || received.length < length) return;
      const now = performance.now();
      latencies.push(now - started);
      if (!received.toString('latin1', 0, wanted.length).startsWith(wanted))
        return finish(received.toString());
      received = received.subarray(length);
      if (now >= end || failure !== undefined) return finish();
      started = now;
      socket.write(request());
    });
    socket.write(request());
  });
}

const servers = Array.from({ length: plan.connections }, (_, at) => plan.servers[at % plan.servers.length]);
const sockets = await Promise.all(servers.flatMap((server) => (server === undefined ? [] : [open(server)])));
const started = performance.now();
await Promise.all(sockets.map((socket) => exchange(socket, started + plan.seconds * 1000)));
const seconds = (performance.now() - started) / 1000;
if (failure !== undefined) throw new Error(failure);
const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
console.log(JSON.stringify({ requests: latencies.length, rate: latencies.length / seconds, p50, p99 }));
