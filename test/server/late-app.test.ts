import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { LateApp } from '../../src/server/late/late-app.js';

it('a part that could not be loaded is loaded by the next request, and then once', async () => {
  let loads = 0;
  const reported: unknown[] = [];
  const load = async () => {
    loads += 1;
    if (loads <= 2) throw Object.assign(new Error('gone'), { code: 'ENOENT' });
    const app = fastify();
    app.get('/', async () => 'there');
    return app.ready().then(() => app);
  };
  const late = new LateApp(load, (error) => reported.push(error));
  const server = createServer(late.answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  late.prepare();
  const { port }: AddressInfo = Object(server.address());
  const statuses = [];
  for (let time = 0; time < 3; time += 1) statuses.push((await fetch(`http://127.0.0.1:${port}`)).status);
  expect([statuses, loads, reported.length]).toEqual([[503, 200, 200], 3, 1]);
});
