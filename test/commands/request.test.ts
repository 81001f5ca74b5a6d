import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifySignature } from '../../src/signing/index.js';
import {
  type Behaviour,
  headerOf,
  hostilePeer,
  httpAnswer,
  type RecordedRequest,
} from '../support/hostile-peer.js';
import { runCli, temporaryDirectory } from '../support/run-cli.js';
import { environmentOf } from './support/doctor.js';

const secret = '0123456789abcdef'.repeat(4);

/** A peer that answers by script, and the command line's way to it. */
async function peerWith(answer: string | Behaviour, path = '') {
  const peer = await hostilePeer(typeof answer === 'string' ? () => answer : answer);
  const env = environmentOf(`${peer.origin}${path}`, { ORGCTL_SECRET: secret });
  const first = (): RecordedRequest => {
    const [request] = peer.requests;
    if (request === undefined) throw new Error('nothing was sent');
    return request;
  };
  return { peer, env, first, run: (...args: string[]) => runCli(['request', ...args], { env }) };
}

function isSigned(request: RecordedRequest): boolean {
  const header = (name: string) => headerOf(request, name) ?? '';
  const { method, target, body } = request;
  const timestamp = header('x-api-timestamp');
  const signable = { method, target, timestamp, contentType: header('content-type'), body };
  return verifySignature(secret, signable, header('x-api-signature'));
}

describe('request sends', () => {
  it('a body from text, file and stdin, byte for byte', async () => {
    const bytes = Buffer.from([0x00, 0xff, 0x0d, 0x0a]);
    const path = join(temporaryDirectory(), 'body');
    writeFileSync(path, bytes);
    const { peer, env } = await peerWith(httpAnswer(200, '{}'));
    await runCli(['request', 'PUT', '/x', '-d', '{"a": "ö"}\n'], { env });
    await runCli(['request', 'PUT', '/x', '-d', `@${path}`], { env });
    await runCli(['request', 'PUT', '/x', '--data', '-'], { env, stdin: bytes });
    await runCli(['request', 'PUT', '/x', '--data', '@-'], { env, stdin: bytes });
    const text = Buffer.from('{"a": "ö"}\n');
    expect(peer.requests.map(({ body }) => body)).toEqual([text, bytes, bytes, bytes]);
    expect(peer.requests.every(isSigned)).toBe(true);
    expect(peer.requests.map((request) => headerOf(request, 'content-type'))).toEqual(
      Array(4).fill('application/json'),
    );
  });
});

describe('request prints', () => {
  it.each([
    ['GET', '/quotas', '<html>Login</html>', ['--query', 'data[0].teams.used', '-r']],
    ['GET', '/teams', 'a text', ['-o', 'csv', '--columns', 'name']],
    ['POST', '/teams', '', ['-f', 'name=ci', '--query', 'id', '-r']],
    ['POST', '/api-keys', '', ['-f', 'name=ci', '--query', 'secret', '-r']],
    ['POST', '/api-keys', '<html>ok</html>', ['-f', 'name=ci', '--query', 'secret', '-r']],
    ['POST', '/teams', '{"message":"created"}', ['-f', 'name=ci', '--query', 'id', '-r']],
  ])('%s %s as an error, and whole, if it has nothing to select: %j', async (method, path, body, args) => {
    const { run } = await peerWith(
      httpAnswer(method === 'POST' ? 201 : 200, body, { 'content-type': 'text/html' }),
    );
    const ended = await run(method, path, ...args);
    expect(ended).toMatchObject({ code: 10, stderr: expect.stringMatching(/select/) });
    expect(ended.stdout.replaceAll(/\s/g, '')).toBe(body.replaceAll(/\s/g, ''));
  });
});
