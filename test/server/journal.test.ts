import { describe, expect, it } from 'vitest';
import { rawExchange } from './support/raw-exchange.js';
import { useServer, useServers } from './support/start.js';

describe('a journal', () => {
  const running = useServer();

  it('has every request with its answer, oldest first', async () => {
    const { server, caller } = running;
    await server.control.journal.clear();
    await caller.send('GET', '/quotas?limit=1&a=b');
    await caller.send('POST', '/teams', { body: { name: 'a' }, auth: 'basic' });
    await caller.send('GET', '/nothing');
    const common = { keyId: server.keyId, organization: server.organization };
    expect(await server.control.journal.get()).toEqual([
      {
        ...common,
        id: expect.any(Number),
        time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
        method: 'GET',
        target: '/quotas?limit=1&a=********',
        status: 200,
        milliseconds: expect.any(Number),
        headers: expect.objectContaining({ 'x-api-key': server.keyId, 'x-api-signature': '********' }),
        bodyBytes: 0,
      },
      expect.objectContaining({
        ...common,
        method: 'POST',
        status: 201,
        headers: expect.objectContaining({ authorization: 'Basic ********' }),
        bodyBytes: 12,
        body: { name: 'a' },
      }),
      expect.objectContaining({
        ...common,
        target: '/nothing',
        status: 404,
        refusal: { check: 'route', reason: 'the API has no path /nothing' },
      }),
    ]);
    expect((await server.control.journal.get())[0]?.milliseconds).toBeLessThan(60_000);
  });

  it('keeps the last 1,000 requests in order, also after it was cleared', async () => {
    const { server } = running;
    const send = async (count: number) => {
      for (let sent = 0; sent < count; sent += 50)
        await Promise.all(
          Array.from({ length: 50 }, async () => (await fetch(`${server.url}/quotas`)).arrayBuffer()),
        );
    };
    await send(50);
    await server.control.journal.clear();
    await send(1000);
    const ids = (await server.control.journal.get()).map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 1000 }, (_, nth) => (ids[0] ?? 0) + nth));
    await send(50);
    const later = (await server.control.journal.get()).map(({ id }) => id);
    expect(later).toEqual(ids.map((id) => id + 50));
  });

  it('counts a long body and does not keep it; of a refused request it names the key, and no organization', async () => {
    const { server, caller } = running;
    await server.control.journal.clear();
    const credential = { keyId: server.keyId, secret: 'x' };
    await caller.send('GET', '/quotas', { credential });
    const [refused] = await server.control.journal.get();
    expect(refused).toMatchObject({ keyId: server.keyId, refusal: { check: 'signature' } });
    expect(refused).not.toHaveProperty('organization', expect.anything());
    await server.control.journal.clear();
    await caller.send('POST', '/teams', { body: { name: 'x'.repeat(17_000) } });
    const [entry] = await server.control.journal.get();
    expect(entry).toMatchObject({ status: 400, bodyBytes: 17_011 });
    expect(entry).not.toHaveProperty('body');
  });
});

describe('what is refused before it is looked at', () => {
  const servers = useServers();

  it('is in the journal too, but for what is not of the service; so is what is no request', async () => {
    const server = await servers.start({ http: true });
    await rawExchange(server, 'GET /1 HTTP/1.1\r\nX-API-Key: key_claimed\r\n\r\n');
    await rawExchange(server, 'GET /2 HTTP/1.1\r\nHost: a\r\nExpect: more\r\n\r\n');
    await rawExchange(server, 'get /quotas HTTP/1.1\r\nHost: a\r\n\r\n');
    await rawExchange(server, 'GET nonsense\r\n\r\n');
    await rawExchange(server, 'GET /_control/clock HTTP/1.1\r\n\r\n');
    const withReason = (reason: string) => ({ check: 'request', reason: expect.stringContaining(reason) });
    expect(await server.control.journal.get()).toMatchObject([
      { method: 'GET', target: '/1', status: 400, keyId: 'key_claimed', refusal: withReason('Host') },
      { target: '/2', status: 417, headers: { host: 'a', expect: 'more' }, refusal: withReason('Expect') },
      {
        method: '-',
        target: '-',
        status: 400,
        refusal: withReason('not an HTTP request'),
      },
      { method: '-', target: '-', status: 400, refusal: withReason('HPE_INVALID') },
    ]);
  });
});
