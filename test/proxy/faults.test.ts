import { describe, expect, it } from 'vitest';
import { hostilePeer, httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
import { linesOf, proxyTo, sendRaw } from './support/start-proxy.js';

const get = linesOf('GET /quotas?x HTTP/1.1', 'Host', 'Connection: close');

describe('a fault rule', () => {
  it('answers in the place of the service, which is not asked', async () => {
    const peer = await scriptedPeer([httpAnswer(200)]);
    const proxy = await proxyTo(peer.origin, { faults: ['GET /quotas=503:5sx1'] });
    const answer = await sendRaw(proxy, get);
    expect(answer).toMatch(/^HTTP\/1\.1 503 .*\r\nRetry-After: 5\r\n/);
    expect(answer).toContain(
      '{"statusCode":503,"message":"orgctl proxy: a fault rule applied: GET /quotas=503:5sx1"}',
    );
    expect(peer.requests).toHaveLength(0);
    expect(proxy.exchanges).toMatchObject([{ outcome: 'refused', fault: 'GET /quotas=503:5sx1' }]);
    expect(await sendRaw(proxy, get)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('counts no request that the proxy refuses itself', async () => {
    const peer = await scriptedPeer([httpAnswer(200)]);
    const proxy = await proxyTo(peer.origin, { faults: ['* *=503x1'], isReadOnly: true });
    const post = get.replace('GET', 'POST');
    for (const [request, status] of [
      [post, 403],
      [get, 503],
      [get, 200],
    ] as const)
      expect(await sendRaw(proxy, request)).toContain(`HTTP/1.1 ${status} `);
  });

  it('drops a connection before the service is asked, or after it', async () => {
    const peer = await scriptedPeer([httpAnswer(200)]);
    const proxy = await proxyTo(peer.origin, { faults: ['* *=dropx1', '* *=drop-answerx1'] });
    expect([await sendRaw(proxy, get), peer.requests.length]).toEqual(['', 0]);
    expect([await sendRaw(proxy, get), peer.requests.length]).toEqual(['', 1]);
    expect(proxy.exchanges.map(({ outcome }) => outcome)).toEqual(['cut-off', 'cut-off']);
  });

  it('cuts a response off in its body, and leaves an empty one whole', async () => {
    const body = 'x'.repeat(100);
    const peer = await scriptedPeer([httpAnswer(200, body), httpAnswer(204)]);
    const proxy = await proxyTo(peer.origin, { faults: ['* *=truncate'] });
    const answer = await sendRaw(proxy, get);
    expect(answer).toContain('Content-Length: 100');
    expect(answer.match(/x{10,}$/)?.[0]).toHaveLength(50);
    expect(await sendRaw(proxy, get)).toMatch(/^HTTP\/1\.1 204 /);
    expect(proxy.exchanges.map(({ outcome }) => outcome)).toEqual(['cut-off', 'passed']);
  });

  it('delays for longer than silence may last, and then passes', async () => {
    const peer = await scriptedPeer([httpAnswer(200)]);
    const proxy = await proxyTo(peer.origin, { faults: ['* *=delay:300ms'], timeout: 200 });
    expect(await sendRaw(proxy, get)).toMatch(/^HTTP\/1\.1 200 /);
    expect(proxy.exchanges[0]?.milliseconds).toBeGreaterThan(290);
  });

  it('that is postponed ends with its client', async () => {
    const peer = await hostilePeer(() => undefined);
    const proxy = await proxyTo(peer.origin, { faults: ['* *=delay:1h'] });
    const leaving = new AbortController();
    const sent = fetch(`${proxy.url}/quotas`, { signal: leaving.signal }).catch(() => 'left');
    setTimeout(() => leaving.abort(), 50);
    expect(await sent).toBe('left');
    expect(await proxy.observed()).toMatchObject({ outcome: 'abandoned' });
  });
});
