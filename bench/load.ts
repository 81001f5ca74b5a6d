/**
 * Load from a process of its own: so many connections that stay open, each with one request at a time, for so many
 * seconds. Prints one line of JSON. Requests are written as bytes, so that it takes little of the machine for itself.
 *
 *   node --import tsx bench/load.ts '{"url":…,"caFile":…,"keyId":…,"secret":…,"method":"GET","target":"/quotas"}'
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { connect as connectSecurely } from 'node:tls';
import { z } from '../src/contract/schema.js';
import { signedHeaders } from '../src/signing/index.js';

const planSchema = z.object({
  url: z.string(),
  /** For https alone. */
  caFile: z.optional(z.string()),
  keyId: z.string(),
  secret: z.string(),
  method: z.string(),
  target: z.string(),
  body: z._default(z.string(), ''),
  expected: z.int(),
  connections: z.int(),
  seconds: z.number(),
});

const plan = z.parse(planSchema, JSON.parse(process.argv[2] ?? ''));
const { protocol, hostname, port, host } = new URL(plan.url);
const ca = plan.caFile === undefined ? undefined : readFileSync(plan.caFile);
const latencies: number[] = [];
let failure: string | undefined;

/** The request's bytes, signed anew each second. */
const request = (() => {
  let second = 0;
  let bytes: Buffer = Buffer.alloc(0);
  return (): Buffer => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) {
      second = now;
      bytes = requestAt(String(now));
    }
    return bytes;
  };
})();

function requestAt(timestamp: string): Buffer {
  const { method, target, body } = plan;
  const contentType = body === '' ? '' : 'application/json';
  const signable = { method, target, timestamp, contentType, body: Buffer.from(body) };
  const headers = Object.entries({
    Host: host,
    ...signedHeaders(plan, signable),
    ...(body === '' ? {} : { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) }),
  });
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([`${method} ${target} HTTP/1.1`, ...lines, '', body].join('\r\n'));
}

/** How many bytes the answer has that begins here; undefined while its head is not complete. */
function lengthOfAnswer(received: Buffer): number | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, end + 2)) ?? [];
  return end + 4 + Number(length);
}

function open(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const place = { host: hostname, port: Number(port) };
    const opened = () => resolve(socket);
    const socket: Socket =
      protocol === 'https:' ? connectSecurely({ ...place, ca }, opened) : connect(place, opened);
    socket.once('error', reject);
  });
}

/** One request after the other until the time is over. */
function exchange(socket: Socket, end: number): Promise<void> {
  return new Promise((resolve) => {
    let received: Buffer = Buffer.alloc(0);
    let started = performance.now();
    const wanted = `HTTP/1.1 ${plan.expected} `;
    const finish = (problem?: string) => {
      failure ??= problem;
      socket.destroy();
      resolve();
    };
    socket.on('error', (error) => finish(error.message));
    socket.on('close', () => finish());
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

const sockets = await Promise.all(Array.from({ length: plan.connections }, open));
const started = performance.now();
await Promise.all(sockets.map((socket) => exchange(socket, started + plan.seconds * 1000)));
const seconds = (performance.now() - started) / 1000;
if (failure !== undefined) throw new Error(failure);
latencies.sort((left, right) => left - right);
const p99 = latencies[Math.floor(latencies.length * 0.99)];
console.log(JSON.stringify({ rate: latencies.length / seconds, p99 }));
