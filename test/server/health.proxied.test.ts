import { describe, expect, it } from 'vitest';
import { quotaHeadersOf } from './support/caller.js';
import { useServer } from './support/start.js';

describe('/healthz [ours]', () => {
  const context = useServer();

  it('answers everybody that the server answers, and /ready that requests can be served', async () => {
    const { control } = context.server;
    const wrong = { headers: { authorization: 'rubbish', 'x-api-key': 'key_none' } };
    const calls = [{ auth: 'none' }, { auth: 'hmac' }, { auth: 'basic' }, wrong] as const;
    for (const target of ['/healthz', '/healthz/ready', '/healthz?probe=1']) {
      for (const call of calls) {
        const answer = await context.caller.send('GET', target, call);
        expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
        expect(quotaHeadersOf(answer)).toEqual([undefined, undefined, undefined]);
      }
    }
    for (const target of ['/healthz', '/healthz/ready']) {
      const head = await context.caller.send('HEAD', target, { auth: 'none' });
      expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '15']);
    }
    expect(await control.journal.get()).toEqual([]);
  });

  it('has no other method or path', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      expect((await context.caller.send(method, '/healthz', { auth: 'none' })).status).toBe(401);
      expect((await context.caller.send(method, '/healthz')).status).toBe(404);
    }
    for (const target of ['/healthz/', '/healthz/x', '/healthz/ready/', '/Healthz', '/x/healthz']) {
      expect([target, (await context.caller.send('GET', target)).status]).toEqual([target, 404]);
    }
  });
});
