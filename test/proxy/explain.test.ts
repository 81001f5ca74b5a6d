import { request as send } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type ExchangeEntry, logExchanges } from '../../src/proxy/exchange-log.js';
import type { KnownKey } from '../../src/proxy/explain-exchange.js';
import { makeSigner } from '../../src/proxy/signer.js';
import { basicAuthorization, canonicalString, hmacSignature, timestampOf } from '../../src/signing/index.js';
import { ExplainingBudget } from '../../src/signing/refusals/explaining-budget.js';
import { useServer } from '../server/support/start.js';
import { hostilePeer, httpAnswer } from '../support/hostile-peer.js';
import { proxyTo } from './support/start-proxy.js';

const secret = 'a1'.repeat(32);
const keyId = 'key_explained';
const context = useServer({ bootstrap: { keyId, secret } });
const owner = 'profile "a"';

/** A proxy whose log is read, and one request through it. */
async function explainingProxy(
  origin: string,
  findKey: (id: string) => Promise<KnownKey | undefined> = ownKey,
) {
  const entries: ExchangeEntry[] = [];
  const budget = new ExplainingBudget();
  const log = logExchanges({ origin, budget, findKey }, (entry) => entries.push(entry));
  const signer = makeSigner({ keyId, secret }, 'hmac');
  const proxy = await proxyTo(origin, { observers: [(exchange) => log.observe(exchange)], signer });
  const tell = async (method: string, target: string, headers: Record<string, string>) => {
    await new Promise((resolve, reject) => {
      const sent = send(`${proxy.url}`, { method, path: target, headers, agent: false }, (response) =>
        response.resume().on('close', resolve),
      );
      sent.on('error', reject);
      sent.end();
    });
    await expect.poll(() => entries.length).toBeGreaterThan(0);
    const [entry] = entries.splice(0);
    return entry;
  };
  return { ...proxy, tell, token: signer.token };
}

async function ownKey(id: string): Promise<KnownKey | undefined> {
  return id === keyId ? { owner, secret } : undefined;
}

function toHeaders({ timestamp }: { readonly timestamp: string }, signature: string) {
  return { 'X-API-Key': keyId, 'X-API-Timestamp': timestamp, 'X-API-Signature': signature };
}

const request = { method: 'GET', target: '/v1/teams?name=%C3%B6', contentType: '', body: Buffer.alloc(0) };

function toRequest(origin: string) {
  return { ...request, timestamp: timestampOf(Date.now()), origin, keyId };
}

// Each mistake has its test in test/signing/mistakes/; here one that the service names, too, and one of its address.
describe('a mistake is named through the proxy', () => {
  it('as the service names it', async () => {
    const { tell, url } = await explainingProxy(context.server.url);
    const request = toRequest(url);
    const text = canonicalString({ ...request, target: '/v1/teams' });
    const entry = await tell('GET', request.target, toHeaders(request, hmacSignature(secret, text)));
    expect(entry).toMatchObject({
      check: 'signature',
      mistake: 'query-missing',
    });
    const ofService = (await context.server.control.journal.get()).at(-1)?.refusal;
    expect(ofService).toMatchObject({ mistake: 'query-missing', advice: entry?.advice });
  });
});

const full = 'Quota exceeded: maximum 3 teams allowed per organization (currently: 3)';

it.each([
  ['in its message', JSON.stringify({ statusCode: 403, message: full }), {}],
  ['in its headers', '{"message":"no room"}', { 'X-Quota-Limit': '3', 'X-Quota-Used': '3' }],
])('an exceeded quota is named, %s, whoever has the key', async (_name, body, headers) => {
  const peer = await hostilePeer(() => httpAnswer(403, body, { ...headers, Connection: 'close' }));
  const { tell } = await explainingProxy(peer.origin);
  for (const id of [keyId, 'key_other']) {
    const sent = { Authorization: basicAuthorization({ keyId: id, secret }) };
    expect(await tell('POST', '/v1/teams', sent)).toMatchObject({ check: 'quota', reason: full });
  }
});
