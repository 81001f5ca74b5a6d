import { describe, expect, it } from 'vitest';
import { verifyRequest } from '../../src/signing/index.js';
import { hostilePeer, httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
import { endOfRefusal, linesOf, proxyTo, sendRaw } from './support/start-proxy.js';

const close = 'Connection: close';

/** The status and the message of a response in the proxy's name. */
function refusalIn(received: string): { status: number; message: string } {
  const [head = '', body = ''] = received.split('\r\n\r\n');
  expect(head).toContain('\r\nVia: 1.1 orgctl');
  const { statusCode, message } = JSON.parse(body);
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${statusCode} `));
  expect(message).toMatch(/^orgctl proxy: /);
  return { status: statusCode, message };
}

describe('what is not passed', () => {
  it.each<[string, number, string[]]>([
    ['a foreign Host', 403, ['GET / HTTP/1.1', 'Host: evil.example', close]],
    ['two Hosts', 403, ['GET / HTTP/1.1', 'Host', 'Host', close]],
    ['a foreign Origin', 403, ['GET / HTTP/1.1', 'Host', 'Origin: http://evil.example', close]],
    ['the Origin null', 403, ['GET / HTTP/1.1', 'Host', 'Origin: null', close]],
    ['an absolute target', 403, ['GET http://evil.example/ HTTP/1.1', 'Host', close]],
    ['an upgrade', 501, ['GET / HTTP/1.1', 'Host', 'Connection: Upgrade, close', 'Upgrade: websocket']],
    ['another coding', 501, ['POST / HTTP/1.1', 'Host', 'Transfer-Encoding: gzip, chunked', close]],
  ])('%s is answered %i', async (_name, status, lines) => {
    const peer = await scriptedPeer([httpAnswer(200)]);
    const proxy = await proxyTo(peer.origin);
    expect(refusalIn(await sendRaw(proxy, linesOf(...lines), endOfRefusal)).status).toBe(status);
    expect(peer.requests).toEqual([]);
    await expect.poll(() => proxy.exchanges).toMatchObject([{ response: { status } }]);
  });

  it('with a body still to come, is answered and not read as a request', async () => {
    const peer = await scriptedPeer([httpAnswer(200)]);
    const proxy = await proxyTo(peer.origin, { isReadOnly: true });
    const received = await sendRaw(
      proxy,
      linesOf('POST / HTTP/1.1', 'Host', close, 'Content-Length: 40') + linesOf('GET / HTTP/1.1', 'Host'),
    );
    expect(refusalIn(received)).toMatchObject({ status: 403, message: expect.stringContaining('POST') });
    expect(peer.requests).toEqual([]);
  });

  it('read-only is all but GET, HEAD and OPTIONS', async () => {
    const peer = await scriptedPeer([httpAnswer(200)]);
    const proxy = await proxyTo(peer.origin, { isReadOnly: true });
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']) {
      expect((await sendRaw(proxy, linesOf(`${method} / HTTP/1.1`, 'Host', close))).slice(9, 12)).toBe('403');
    }
    for (const method of ['GET', 'OPTIONS']) {
      expect((await sendRaw(proxy, linesOf(`${method} / HTTP/1.1`, 'Host', close))).slice(9, 12)).toBe('200');
    }
  });

  it('read-only passes no header that overrides the method', async () => {
    const peer = await scriptedPeer([httpAnswer(200)]);
    const proxy = await proxyTo(peer.origin, { isReadOnly: true });
    for (const name of ['X-HTTP-Method-Override', 'x-http-method', 'X-METHOD-OVERRIDE', 'X_Http_Method']) {
      const received = await sendRaw(proxy, linesOf('GET / HTTP/1.1', 'Host', `${name}: DELETE`, close));
      expect(refusalIn(received)).toMatchObject({ status: 403, message: expect.stringContaining(name) });
    }
    const valued = linesOf('GET / HTTP/1.1', 'Host', 'X-Note: X-HTTP-Method', close);
    expect((await sendRaw(proxy, valued)).slice(9, 12)).toBe('200');
    expect(peer.requests).toHaveLength(1);
    const open = await proxyTo(peer.origin);
    const passed = linesOf('POST / HTTP/1.1', 'Host', 'X-HTTP-Method-Override: DELETE', close);
    expect((await sendRaw(open, passed)).slice(9, 12)).toBe('200');
  });
});

describe('signing', () => {
  const credential = { keyId: 'key_a', secret: 'the secret of the profile' };

  it('is for requests that have the token and no credential', async () => {
    const peer = await scriptedPeer([httpAnswer(200)]);
    const signer = { ...credential, token: 'the token' };
    const proxy = await proxyTo(peer.origin, { signer });
    const token = `x-orgctl-proxy-token: ${signer.token}`;
    const post = ['POST /a?b HTTP/1.1', 'Host', 'Content-Type: text/plain', 'Content-Length: 4', close];
    await sendRaw(proxy, `${linesOf(...post, token)}body`);
    await sendRaw(proxy, linesOf('GET /own HTTP/1.1', 'Host', 'Authorization: Basic own', token, close));
    await sendRaw(proxy, linesOf('GET /none HTTP/1.1', 'Host', close));
    const [signed, own, none] = peer.requests;
    const headers = Object.fromEntries(
      (signed?.headers ?? []).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const verified = await verifyRequest(
      { method: 'POST', target: '/a?b', headers, body: signed?.body ?? Buffer.alloc(0) },
      () => ({ secret: credential.secret }),
    );
    expect(verified).toMatchObject({ accepted: true });
    const names = (request: typeof signed) => request?.headers.map(([name]) => name.toLowerCase());
    expect(names(own)).toEqual(['host', 'authorization', 'via', 'connection']);
    expect(names(none)).toEqual(['host', 'via', 'connection']);
    expect(JSON.stringify(peer.requests)).not.toContain(signer.token);
    expect(proxy.exchanges.map(({ isSigned }) => isSigned)).toEqual([true, false, false]);
  });

  it('another token is refused, and a body that is too large', async () => {
    const peer = await scriptedPeer([httpAnswer(200)]);
    const signer = { ...credential, token: 'the token', auth: 'basic' } as const;
    const proxy = await proxyTo(peer.origin, { signer });
    const wrong = linesOf('GET / HTTP/1.1', 'Host', 'X-Orgctl-Proxy-Token: x', close);
    expect(refusalIn(await sendRaw(proxy, wrong)).status).toBe(403);
    const body = 'x'.repeat(16 * 1024 * 1024 + 1);
    const large = await fetch(`${proxy.url}/`, {
      method: 'POST',
      body,
      headers: { 'X-Orgctl-Proxy-Token': signer.token },
    });
    expect(large.status).toBe(413);
    expect(peer.requests).toEqual([]);
  });
});

it('hands no more than a request to a service, whatever its body is', async () => {
  const peer = await hostilePeer(({ target }) => httpAnswer(200, target));
  const proxy = await proxyTo(peer.origin);
  const inner = linesOf('DELETE /teams HTTP/1.1', 'Host: x');
  await sendRaw(
    proxy,
    linesOf(
      'GET / HTTP/1.1',
      'Host',
      'Connection: close, content-length',
      `Content-Length: ${inner.length}`,
    ) + inner,
  );
  expect(peer.requests.map(({ method }) => method)).toEqual(['GET']);
});
