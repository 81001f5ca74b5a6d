import { expect, it } from 'vitest';
import { Caller } from './support/caller.js';
import { useServers } from './support/start.js';

const servers = useServers();

const config = '{"port":9007199254740993,"host":-0,"database":1e999}';
const body = `{"name":"n","type":"other","config":${config}}`;

it('stores the numbers of a connection as they came, over changes, snapshots and restarts', async () => {
  const data = await servers.directory();
  const server = await servers.start({ data });
  const caller = new Caller(server);
  const created = await caller.send('POST', '/connections', { body });
  expect(created).toMatchObject({ status: 201, text: expect.stringContaining(config) });
  const target = `/connections/${/conn_\w+/.exec(created.text)}`;
  expect((await caller.send('GET', target)).text).toContain(config);

  const patched = await caller.send('PATCH', target, { body: '{"config":{"user":-1e-999}}' });
  const merged = `${config.slice(0, -1)},"user":-1e-999}`;
  expect(patched).toMatchObject({ status: 200, text: expect.stringContaining(merged) });

  const snapshot = await server.control.snapshot();
  await caller.send('DELETE', target);
  await server.control.restore(snapshot);
  expect((await caller.send('GET', '/connections')).text).toContain(merged);

  await server.close();
  const again = new Caller(await servers.start({ data }));
  expect((await again.send('GET', target)).text).toContain(merged);
});

it('takes a port with a fraction of nothing for an integer, and refuses one that a double would make one', async () => {
  const caller = new Caller(await servers.start());
  const postgres = (port: string) =>
    `{"name":"n","type":"pg","config":{"host":"h","port":${port},"database":"d","user":"u","password":"p","ssl":true}}`;
  const send = (port: string) => caller.send('POST', '/connections', { body: postgres(port) });
  expect((await send('5432.0')).status).toBe(201);
  expect(await send('5432.00000000000000000000001')).toMatchObject({
    status: 400,
    text: expect.stringContaining('config.port'),
  });
});
