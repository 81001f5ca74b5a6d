import { request as send } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type ExchangeEntry, ExchangeLog } from '../../src/proxy/exchange-log.js';
import type { KnownKey } from '../../src/proxy/explain-exchange.js';
import { makeSigner } from '../../src/proxy/signer.js';
import { basicAuthorization, canonicalString, hmacSignature, timestampOf } from '../../src/signing/index.js';
import { ExplainingBudget } from '../../src/signing/refusals/explaining-budget.js';
import { useServer } from '../server/support/start.js';
import { hostilePeer, httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
import { linesOf, proxyTo, sendRaw } from './support/start-proxy.js';

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
  const log = new ExchangeLog({ origin, budget, findKey }, (entry) => entries.push(entry));
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

  it('with the address of the proxy or of the service, which the service does not know', async () => {
    const { tell, url } = await explainingProxy(context.server.url);
    for (const origin of [url, context.server.url]) {
      const request = toRequest(origin);
      const text = canonicalString({ ...request, target: `${origin}${request.target}` });
      const entry = await tell('GET', request.target, toHeaders(request, hmacSignature(secret, text)));
      expect(entry).toMatchObject({ mistake: 'full-url' });
      const upper = toHeaders(request, hmacSignature(secret, text).toUpperCase());
      const both = await tell('GET', request.target, upper);
      expect(both).toMatchObject({ mistake: 'full-url+upper-case-hex' });
    }
  });
});

describe('a refused credential', () => {
  const basic = (id: string, of: string) => ({
    Authorization: basicAuthorization({ keyId: id, secret: of }),
  });

  it.each([
    [
      'with another secret',
      basic(keyId, 'b'.repeat(64)),
      { check: 'secret', reason: 'wrong secret for this key' },
    ],
    [
      'of a key ID in quotes',
      basic(`"${keyId}"`, secret),
      { check: 'key', reason: 'the key ID is in quotes' },
    ],
    [
      'of a key ID in upper case',
      basic(keyId.toUpperCase(), secret),
      { check: 'key', reason: 'the key ID begins with key_, in lower case' },
    ],
    [
      'of a secret for a key ID',
      basic(secret, secret),
      { check: 'key', reason: expect.stringContaining('swapped') },
    ],
    [
      'of a key that no profile has',
      basic('key_other', secret),
      { check: 'key', reason: expect.stringContaining('no profile has the key key_other') },
    ],
  ])('%s', async (_name, headers: Record<string, string>, expected) => {
    const { tell } = await explainingProxy(context.server.url);
    const entry = await tell('GET', '/quotas', headers);
    expect(entry).toMatchObject(expected);
    expect(JSON.stringify(entry)).not.toContain(secret);
  });

  it('whose secret cannot be read', async () => {
    const { tell } = await explainingProxy(context.server.url, async () => ({
      owner,
      problem: 'the keyring is locked',
    }));
    expect(await tell('GET', '/quotas', basic(keyId, 'wrong'))).toMatchObject({
      check: 'key',
      reason: `not checked here: the secret of ${owner} cannot be read (the keyring is locked)`,
    });
  });

  const date = (milliseconds: number) => ({ Date: new Date(Date.now() + milliseconds).toUTCString() });

  it.each([
    ['behind', 600_000, /^X-API-Timestamp is (?:59|60)\d seconds behind the server's clock/],
    ['ahead', -600_000, /^X-API-Timestamp is (?:59|60)\d seconds ahead of the server's clock/],
  ])('by a clock that is %s, as the Date of the response shows', async (_side, offset, reason) => {
    const peer = await scriptedPeer([httpAnswer(401, '', date(offset))]);
    const { tell } = await explainingProxy(peer.origin);
    const request = toRequest('');
    const headers = toHeaders(request, hmacSignature(secret, canonicalString(request)));
    const told = { check: 'timestamp', reason: expect.stringMatching(reason) };
    expect(await tell('GET', request.target, headers)).toMatchObject(told);
  });

  it.each([
    [401, '', 'has another secret for the key, or no such key'],
    [403, '', 'does not allow the key to do this'],
    [403, '{"message":"API key is disabled"}', 'is disabled'],
  ])('that is right, %i %s', async (status, body, reason) => {
    const peer = await scriptedPeer([httpAnswer(status, body, date(0))]);
    const { tell } = await explainingProxy(peer.origin);
    expect(await tell('GET', '/quotas', basic(keyId, secret))).toMatchObject({
      reason: expect.stringContaining(reason),
    });
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

it('what is not refused is told, too, and what the proxy answers itself', async () => {
  const { tell } = await explainingProxy(context.server.url);
  const ok = await tell('GET', '/quotas?token=x', { Authorization: basicAuthorization({ keyId, secret }) });
  expect(ok).toMatchObject({ status: 200, outcome: 'passed', keyId, target: '/quotas?token=********' });
  expect(await tell('GET', '/quotas', { Upgrade: 'websocket', Connection: 'upgrade' })).toMatchObject({
    status: 501,
    outcome: 'refused',
    problem: 'upgrades to other protocols are not forwarded',
  });
});

it('the log has every exchange so far once it has settled, also one that is still to be explained', async () => {
  const peer = await scriptedPeer([httpAnswer(200), httpAnswer(401)]);
  const proxy = await proxyTo(peer.origin);
  for (const _answer of [200, 401])
    await sendRaw(proxy, linesOf('GET /x HTTP/1.1', 'Host', 'Connection: close'));
  const statuses: unknown[] = [];
  const budget = new ExplainingBudget();
  const log = new ExchangeLog({ origin: peer.origin, budget, findKey: ownKey }, ({ status }) =>
    statuses.push(status),
  );
  for (const exchange of proxy.exchanges) log.observe(exchange);
  await log.settle();
  expect(statuses).toEqual([200, 401]);
});
