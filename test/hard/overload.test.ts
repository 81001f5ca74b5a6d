import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { platform } from 'node:process';
import { afterEach, describe, expect, it } from 'vitest';
import { Caller } from '../support/caller.js';
import {
  cpuMilliseconds,
  peakMegabytes,
  type ServeProcess,
  startServeProcess,
} from '../support/serve-process.js';
import { rounds } from './support/budget.js';

const ceiling = 300;
/** Milliseconds of the server's own work within which everybody else is answered; answering all would take over ten times that. */
const patience = 6000;

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Connections that read nothing. */
async function unreading({ url }: ServeProcess['server'], count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  const opened = Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname);
    socket.pause().on('error', () => undefined);
    sockets.push(socket);
    return socket;
  });
  await Promise.all(opened.map((socket) => once(socket, 'connect')));
  return opened;
}

/**
 * The most milliseconds that the server worked until one of so many GETs was answered, one after the other; each answer
 * has to be 200.
 */
async function slowest({ process: child, server }: ServeProcess, count: number): Promise<number> {
  const caller = new Caller(server);
  let longest = 0;
  for (let sent = 0; sent < count; sent += 1) {
    const start = cpuMilliseconds(child.pid);
    expect((await caller.send('GET', '/quotas')).status).toBe(200);
    longest = Math.max(longest, cpuMilliseconds(child.pid) - start);
  }
  return longest;
}

describe.skipIf(platform !== 'linux')('the memory of a server', () => {
  it('stays bounded when nobody reads the answers to 64 KB of requests on each of 990 connections', async () => {
    const running = await startServeProcess();
    const { process: child, server } = running;
    await slowest(running, 20);
    const opened = await unreading(server, 990);
    // Node accepts one connection a turn, in their order; the attack begins when all are.
    await slowest(running, 1);
    const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    for (const socket of opened) socket.write(request.repeat(Math.floor(65_536 / request.length)));
    const longest = await slowest(running, rounds(1000, 100));
    const peak = peakMegabytes(child.pid);
    console.log(`990 × 64 KB unread: peak ${peak.toFixed(0)} MB, others within ${longest.toFixed(0)} ms`);
    expect(peak).toBeLessThan(ceiling);
    expect(longest).toBeLessThan(patience);
  });
});
