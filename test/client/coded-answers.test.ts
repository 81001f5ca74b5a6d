import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { hostilePeer, httpAnswer } from '../support/hostile-peer.js';
import { emptyEnvironment, errorOf, runCli } from '../support/run-cli.js';
import { credential } from './support/credential.js';
import { failureOf, openClient } from './support/open-client.js';

const body = Buffer.from('{"data":[{"id":"key_new","secret":"Zq7Zq7Zq7Zq7Zq7Zq7Zq7"}]}');
const get = { method: 'GET', target: '/connections' } as const;

/** A service that sends these bytes in a coding nobody asked for. */
function codedPeer(encoding: string, bytes: Buffer, status = 200) {
  const head = httpAnswer(status, '', {
    'Content-Encoding': encoding,
    'Content-Length': String(bytes.length),
  });
  return hostilePeer((_request, socket) => {
    socket.write(head);
    socket.write(bytes);
  });
}

const codings: readonly (readonly [encoding: string, bytes: Buffer])[] = [
  ['GZIP', gzipSync(body)],
  ['deflate', deflateSync(body)],
  ['br', brotliCompressSync(body)],
  ['identity', body],
];

describe('a response in a coding that was not asked for', () => {
  it.each(codings)('is read: %s', async (encoding, bytes) => {
    const peer = await codedPeer(encoding, bytes);
    const answer = await openClient(peer).transport.send(get);
    expect(answer.body.toString()).toBe(body.toString());
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(peer.requests[0]?.headers).toContainEqual(['Accept-Encoding', 'identity']);
  });

  const unreadable: readonly (readonly [encoding: string, bytes: Buffer, coding: string])[] = [
    ['gzip', Buffer.from('not gzip'), 'gzip'],
    ['zstd', Buffer.from('not JSON'), 'zstd'],
    ['gzip', gzipSync(Buffer.alloc(65 * 2 ** 20, ' '), { level: 1 }), 'gzip'],
  ];
  it.each(unreadable)('is named if it cannot be read: %s', async (encoding, bytes, coding) => {
    const { api } = openClient(await codedPeer(encoding, bytes));
    expect(await failureOf(api.teams.get('team_1'))).toMatchObject({
      code: 'server',
      message: `GET /teams/team_1 returned 200 with a body that cannot be decoded from "${coding}"`,
    });
  });

  const env = (origin: string) => ({
    ...emptyEnvironment(),
    ORGCTL_BASE_URL: origin,
    ORGCTL_KEY_ID: credential.keyId,
    ORGCTL_SECRET: credential.secret,
  });

  it('shows what came of it before it was cut off, for it may hold a secret', async () => {
    const whole = gzipSync(`{"id":"key_new","secret":"Zq7Zq7Zq7Zq7","more":"${'x'.repeat(99)}"}`);
    const peer = await hostilePeer((_request, socket) => {
      socket.write(httpAnswer(201, '', { 'Content-Encoding': 'gzip', 'Content-Length': '999' }));
      socket.end(whole.subarray(0, -12));
    });
    const line = ['api-keys', 'create', '--name', 'ci', '-o', 'json'];
    const ended = await runCli(line, { env: env(peer.origin) });
    expect(ended.stdout).toMatch(/^\{"id":"key_new","secret":"Zq7Zq7Zq7Zq7"/);
    expect(errorOf(ended)).toMatchObject({ code: 'server' });
  });
});
