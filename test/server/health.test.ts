import { describe, expect, it } from 'vitest';
import { at, quotaHeadersOf } from './support/caller.js';
import { useServer } from './support/start.js';

describe('/healthz [ours]', () => {
  const context = useServer();

  it.each(['none', 'hmac', 'basic'] as const)(
    'answers that the server answers: credentials %s',
    async (auth) => {
      const answer = await context.caller.send('GET', '/healthz', { auth });
      expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
      expect(quotaHeadersOf(answer)).toEqual([undefined, undefined, undefined]);
    },
  );

  it('/ready answers that requests can be served', async () => {
    const answer = await context.caller.send('GET', '/healthz/ready', { auth: 'none' });
    expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
  });

  it('asks nothing of credentials that are wrong', async () => {
    const headers = { authorization: 'rubbish', 'x-api-key': 'key_none' };
    expect((await context.caller.send('GET', '/healthz?probe=1', { headers })).status).toBe(200);
  });

  it.each(['POST', 'PUT', 'HEAD', 'DELETE', 'OPTIONS'])('knows no %s', async (method) => {
    expect((await context.caller.send(method, '/healthz', { auth: 'none' })).status).toBe(401);
    expect((await context.caller.send(method, '/healthz')).status).toBe(404);
  });

  it.each(['/healthz/', '/healthz/x', '/healthz/ready/', '/Healthz', '/x/healthz'])(
    'is not %s',
    async (target) => {
      expect((await context.caller.send('GET', target)).status).toBe(404);
    },
  );

  it('is no request to the service: neither journal nor last_used_at know of it', async () => {
    const { control } = context.server;
    const before = (await control.journal.get()).length;
    await context.caller.send('GET', '/healthz');
    expect(await control.journal.get()).toHaveLength(before);
  });

  it('is the process, not the network: a fault of all requests is none of it', async () => {
    await context.server.control.faults.set(['* *=503']);
    expect((await context.caller.send('GET', '/quotas')).status).toBe(503);
    expect(at((await context.caller.send('GET', '/healthz')).json, 'status')).toBe('ok');
  });
});
