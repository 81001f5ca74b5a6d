import { describe, expect, it } from 'vitest';
import { useServer } from '../support/servers.js';

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

  it('does not keep a long body; names the key of a refused request, but no organization; keeps the last 1,000', async () => {
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
    for (let at = 0; at < 1000; at += 1) await caller.send('GET', '/quotas');
    expect((await server.control.journal.get()).map(({ method }) => method)).toEqual(Array(1000).fill('GET'));
  });
});
