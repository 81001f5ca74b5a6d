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
import { errorOf, runCli, startCli, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';
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

describe('request to the service', () => {
  const service = useService();

  it('prints the answer as JSON, and nothing for an answer without a body', async () => {
    const env = service.environment();
    const ended = await runCli(['request', 'get', '/quotas'], { env });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({ data: [{ connections: { limit: 10 } }], page: 1 });
    const fields = ['-f', 'name=a=b:=c', '-f', 'type=x', '-f', 'config:={"port":5432}'];
    const made = await runCli(['request', 'POST', '/connections', ...fields], { env });
    const connection = JSON.parse(made.stdout);
    expect(connection).toMatchObject({ name: 'a=b:=c', type: 'x', config: { port: 5432 } });
    const gone = await runCli(['request', 'DELETE', `/connections/${connection.id}`], { env });
    expect(gone).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('prints the answer also when it is an error', async () => {
    const env = service.environment();
    const plain = await runCli(['request', 'GET', '/nothing', '--query', 'data[0]', '-o', 'csv'], { env });
    expect(plain).toMatchObject({ code: 6, stdout: '{"statusCode":404,"message":"Not Found"}' });
    const asHead = await runCli(['request', 'HEAD', '/nothing'], { env });
    expect(asHead).toMatchObject({ code: 6, stdout: expect.stringMatching(/^HTTP\/1\.1 404\n.*\n\n$/s) });
  });
});

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

  it('fields of a GET in the query, percent-encoded, behind the one that is there', async () => {
    const { peer, run } = await peerWith(httpAnswer(200, '{}'));
    await run('GET', '/x', '-f', 'a=b c&d', '-f', 'limit:=5', '-f', 'ö=[1]');
    await run('GET', '/x?y=%2f', '-f', 'a=', '-f', 'b:={"c":null}');
    await run('DELETE', '/x', '-f', 'a=b');
    const sent = peer.requests.map((request) => [
      ...[request.target, request.body.toString(), headerOf(request, 'content-type')],
    ]);
    expect(sent).toEqual([
      ['/x?a=b%20c%26d&limit=5&%C3%B6=%5B1%5D', '', undefined],
      ['/x?y=%2f&a=&b=%7B%22c%22%3Anull%7D', '', undefined],
      ['/x', '{"a":"b"}', 'application/json'],
    ]);
    expect(peer.requests.every(isSigned)).toBe(true);
  });

  it('further headers, in place of its own where they have the same name', async () => {
    const { first, run } = await peerWith(httpAnswer(200, '{}'));
    const headers = ['X-One: a', 'x-one:b', 'Accept: text/csv', 'Content-Type: text/plain; charset=utf-8'];
    await run('POST', '/x', '-d', 'a', ...headers.flatMap((header) => ['-H', header]));
    expect(headerOf(first(), 'x-one')).toBe('a, b');
    expect(headerOf(first(), 'accept')).toBe('text/csv');
    expect(headerOf(first(), 'content-type')).toBe('text/plain; charset=utf-8');
    expect(isSigned(first())).toBe(true);
  });
});

it.each([
  [['GET', 'https://evil.example/x'], 'is not a path below the base URL'],
  [['GET', '/a\r\nX: y'], 'is not a path below the base URL'],
  [['GET', '/x', '-H', 'X-A'], 'not of the form "Name: value"'],
  [['GET', '/x', '-H', 'X-A: b\r\nX-B: c'], 'not of the form "Name: value"'],
  [['GET', '/x', '-H', 'Authorization: Basic x'], 'controls this header'],
  [['POST', '/x', '-d', 'a', '-f', 'b=c'], 'cannot be used with option'],
  [['POST', '/x', '--paginate'], '--paginate works with GET'],
  [['GET', '/x', '--paginate', '-i'], 'cannot be used with'],
  ...['page', 'cursor', 'offset', 'starting_after', 'page_token', 'skip'].map((name): [string[], string] => [
    ['GET', `/x?a=b&${name}=3`, '--paginate'],
    'begins at the first page',
  ]),
  [['GET', '/x', '--query', '['], '--query'],
])('request refuses, and sends nothing %j', async (args, message) => {
  const { peer, run } = await peerWith(httpAnswer(200, '{}'));
  const ended = await run(...args, '-o', 'json');
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  const { message: said, hint } = errorOf(ended);
  expect(`${said}\n${hint}`).toContain(message);
  expect(peer.connections).toBe(0);
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

  it('what is not JSON byte for byte in a pipe, and on a terminal clean, to the end of a line', async () => {
    const bytes = Buffer.from('<p>\u001b[2J\r\n\u0000', 'utf8');
    const answer = Buffer.concat([
      Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length + 1}\r\n\r\n`),
      bytes,
      Buffer.from([0xff]),
    ]);
    const { env } = await peerWith((_request, socket) => void socket.write(answer));
    const piped = startCli(['request', 'GET', '/x', '-o', 'json'], { env });
    expect((await piped.ended).code).toBe(0);
    expect(piped.system.stdoutBytes()).toEqual(Buffer.concat([bytes, Buffer.from([0xff])]));
    const shown = await runCli(['request', 'GET', '/x'], { env, isTTY: true });
    expect(shown.stdout).toBe('<p>\\u{1b}[2J\\r\n\\u{0}\ufffd\n');
  });

  it('status and headers first with --include, clean on a terminal, and alone for HEAD', async () => {
    const answer = 'HTTP/1.1 202 Sure\r\nX-A: 1\r\nX-A: \u009b2\r\nContent-Length: 2\r\n\r\n';
    const { env, run } = await peerWith(({ method }) =>
      Buffer.from(method === 'HEAD' ? answer : `${answer}{}`, 'latin1'),
    );
    const head = 'HTTP/1.1 202\nx-a: 1\nx-a: \u009b2\ncontent-length: 2\n\n';
    expect((await run('POST', '/x', '-i')).stdout).toBe(`${head}{}\n`);
    const shown = await runCli(['request', 'POST', '/x', '-i'], { env, isTTY: true });
    expect(shown.stdout).toContain('x-a: \\u{9b}2\n');
    expect(await run('HEAD', '/x')).toEqual({ code: 0, stdout: head, stderr: '' });
  });
});

describe('request --paginate', () => {
  const pages = [
    [{ id: 'conn_1', 'a,b': 1 }, { id: 'conn_2' }],
    [{ id: 'conn_3' }, { id: 'conn_4' }],
    [{ id: 'conn_5' }],
  ];
  const pageOf = ({ target }: RecordedRequest) => Number(/[?&]page=(\d+)$/.exec(target)?.[1] ?? 1);
  const answerPage = (page: number) =>
    httpAnswer(200, { data: pages[page - 1], total: 5, page, limit: 2, pages: 3 });
  const paged: Behaviour = (request) => answerPage(pageOf(request));

  it('prints one array of all pages, and keeps the target as it is', async () => {
    const { peer, run } = await peerWith(paged);
    const ended = await run('GET', '/connections?limit=2&x=%2f+', '--paginate');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toEqual(pages.flat());
    expect(peer.requests.map(({ target }) => target)).toEqual([
      '/connections?limit=2&x=%2f+',
      '/connections?limit=2&x=%2f+&page=2',
      '/connections?limit=2&x=%2f+&page=3',
    ]);
    await run('GET', '/connections', '--paginate');
    expect(peer.requests.at(-1)?.target).toBe('/connections?page=3');
  });
});
