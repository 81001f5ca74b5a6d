import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { Agent } from 'undici';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { earlyConnector } from '../../../src/client/network/early-connector.js';
import { httpAnswer, scriptedPeer, unusedPort } from '../../support/hostile-peer.js';
import { type Authority, makeAuthority } from '../support/certificates.js';

let authority: Authority;
beforeAll(async () => {
  authority = await makeAuthority('Test CA');
});

/** An agent, and in which order it began to connect and made its context. */
function recordingAgent() {
  const order: string[] = [];
  const began = () => void order.push('connection');
  subscribe('net.client.socket', began);
  const makeContext = () => {
    order.push('context');
    return createSecureContext({ ca: authority.cert });
  };
  const agent = new Agent({ connect: earlyConnector({}, makeContext) });
  onTestFinished(async () => {
    unsubscribe('net.client.socket', began);
    await agent.destroy();
  });
  const statusOf = async (origin: string) =>
    (await agent.request({ origin, method: 'GET', path: '/' })).statusCode;
  return { order, statusOf };
}

it('connects before it makes the context, which is one for all connections', async () => {
  const certificate = await authority.issue(['127.0.0.1']);
  const peers = [];
  for (let at = 0; at < 3; at += 1) {
    peers.push(await scriptedPeer([httpAnswer(200, {})], { tls: certificate }));
  }
  const { order, statusOf } = recordingAgent();
  const [first = '', ...others] = peers.map(({ origin }) => origin);
  expect(await statusOf(first)).toBe(200);
  expect(order).toEqual(['connection', 'context']);
  expect(await Promise.all(others.map(statusOf))).toEqual([200, 200]);
  expect(order.filter((what) => what === 'context')).toHaveLength(1);
});

it('connects to 443 where the URL names no port', async () => {
  const ports: unknown[] = [];
  const listen = (message: unknown) => {
    if (typeof message !== 'object' || message === null || !('socket' in message)) return;
    if (!(message.socket instanceof Socket)) return;
    message.socket.once('connectionAttempt', (_address: string, port: number) => void ports.push(port));
  };
  const { statusOf } = recordingAgent();
  subscribe('net.client.socket', listen);
  onTestFinished(() => void unsubscribe('net.client.socket', listen));
  // Refused, or not trusted.
  await expect(statusOf('https://127.0.0.1')).rejects.toThrow();
  expect(ports).toEqual([443]);
});

it('makes the context before it knows whether anybody answers', async () => {
  const { order, statusOf } = recordingAgent();
  await expect(statusOf(`https://127.0.0.1:${await unusedPort()}`)).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  });
  await expect.poll(() => order).toContain('context');
});

it('makes no context where there is no TLS, and none before a name is found', async () => {
  const peer = await scriptedPeer([httpAnswer(200, {})]);
  const { order, statusOf } = recordingAgent();
  expect(await statusOf(peer.origin)).toBe(200);
  await expect(statusOf('https://nowhere.invalid')).rejects.toMatchObject({
    code: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/),
  });
  expect(order).toEqual(['connection', 'connection']);
});
