import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../src/server/index.js';
import { basicAuthorization, hmacSignature } from '../../src/signing/index.js';
import type { Call } from '../support/caller.js';
import { useServer } from '../support/servers.js';

const log: LogEntry[] = [];
/** The server's time stands still, however long a request takes. */
const stoppedAt = Date.now();
const running = useServer({
  quotas: { teams: 0 },
  clock: () => stoppedAt,
  onLog: (entry) => log.push(entry),
});

/** Sends a request, and answers what journal and log tell of it, of which `text` is all. */
async function tellOf(method: string, target: string, call: Call = {}) {
  const { journal } = running.server.control;
  await journal.clear();
  log.length = 0;
  await running.caller.send(method, target, call);
  const [entry] = await journal.get();
  await expect.poll(() => log.length).toBe(1);
  return { refusal: entry?.refusal, text: JSON.stringify([entry, log]) };
}

const now = () => String(Math.floor(stoppedAt / 1000));

describe('an explanation', () => {
  it('never contains a secret, a password, a signature or credentials', async () => {
    const { keyId, secret } = running.server;
    const other = 'o'.repeat(64);
    const config = { host: 'h', port: 1, database: 'd', user: 'u', password: 'hunter2', ssl: 1 };
    const body = { name: 'c', type: 'pg', config };
    const timestamp = now();
    const right = hmacSignature(secret, Buffer.from(`GET\n/quotas?a=b\n${timestamp}\n\n`));
    const credentials = basicAuthorization({ keyId, secret }).slice(6);
    const signed = { 'x-api-key': keyId, 'x-api-timestamp': timestamp, 'x-api-signature': right };
    const rightly = { auth: 'none', headers: signed } as const;
    const calls: [string, string, Call][] = [
      // A wrong signature over a body with a password, and one that is refused for the body itself.
      ['POST', '/connections', { body, credential: { keyId, secret: other } }],
      ['POST', '/connections', { body }],
      ['POST', '/connections', { body, auth: 'basic' }],
      // The secret where it does not belong.
      ['GET', '/quotas', { auth: 'none', headers: { 'x-api-key': secret } }],
      ['GET', `/quotas?secret=${secret}`, { credential: { keyId, secret: other } }],
      ['GET', `/quotas?s=${secret}`, { auth: 'none' }],
      ['GET', `/${secret}`, {}],
      ['POST', '/teams', { body: `{"name":"${secret}"}`, credential: { keyId, secret: other } }],
      ['GET', '/quotas', { auth: 'basic', credential: { keyId: secret, secret: keyId } }],
      // A signature that is right, for another request or beside another credential.
      ['GET', '/quotas', rightly],
      ['GET', '/quotas?a=b', { ...rightly, headers: { ...rightly.headers, authorization: 'Basic eDp5' } }],
    ];
    for (const [method, target, call] of calls) {
      const { text } = await tellOf(method, target, call);
      for (const hidden of [secret, other, 'hunter2', right, credentials, 'eDp5']) {
        expect(text, `${method} ${target}`).not.toContain(hidden);
      }
    }
    // Nor is what should have been sent: the signature of the very request that was refused.
    const { text, refusal } = await tellOf('GET', '/quotas', {
      credential: { keyId, secret: other },
      timestamp,
    });
    expect(refusal?.check).toBe('signature');
    expect(text).not.toContain(hmacSignature(secret, Buffer.from(`GET\n/quotas\n${timestamp}\n\n`)));
  });

  it('says that the whole URL was signed', async () => {
    const { url, secret } = running.server;
    const signature = hmacSignature(secret, Buffer.from(`GET\n${url}/quotas\n${now()}\n\n`));
    const call = { timestamp: now(), headers: { 'x-api-signature': signature } };
    expect((await tellOf('GET', '/quotas', call)).refusal?.reason).toMatch(/URL/);
  });
});
