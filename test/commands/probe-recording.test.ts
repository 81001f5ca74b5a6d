import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Recording } from '../../src/proxy/record/recording.js';
import { proxyTo } from '../proxy/support/start-proxy.js';
import { httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
import { emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';

const page = {
  recorded: 1,
  service: 'https://api.example.com/v2',
  time: '2026-01-01T00:00:00.000Z',
  method: 'GET',
  target: '/v2/teams',
  requestHeaders: [['X-API-Signature', '********']],
  requestBody: null,
  status: 200,
  headers: [['Content-Type', 'application/json']],
  body: { text: '{"items":[{"id":"team_1","name":"a"}],"has_more":true,"next_cursor":"********"}' },
  milliseconds: 1,
};

function newPath(): string {
  return join(temporaryDirectory(), 'calls.jsonl');
}

function probeText(text: string | Buffer, ...args: string[]) {
  const path = newPath();
  writeFileSync(path, text);
  return runCli(['probe', '--from', path, ...args], { env: emptyEnvironment() });
}

const toLine = (part: object = {}) => `${JSON.stringify({ ...page, ...part })}\n`;

/** The file of a recording of one GET, whose response is given. */
async function recordAnswer(
  answer: unknown,
  headers: Record<string, string> = {},
  target = '/teams',
  status = 200,
) {
  const path = newPath();
  const peer = await scriptedPeer([httpAnswer(status, answer, headers)]);
  const recording = new Recording(path, peer.origin, () => undefined);
  const proxy = await proxyTo(peer.origin, { observers: [(exchange) => recording.observe(exchange)] });
  const observed = expect.poll(() => readFileSync(path, 'utf8')).not.toBe('');
  await (await fetch(`${proxy.url}${target}`)).text();
  await observed;
  recording.close();
  const line = JSON.parse(readFileSync(path, 'utf8'));
  return { path, line, body: line.body?.text ?? line.body };
}

describe('probe --from', () => {
  it('needs no profile and no service, and warns of half a line at the end, which it skips', async () => {
    const ended = await probeText(`${toLine()}\n${toLine().slice(0, 99)}`, '-o', 'yaml');
    const stderr = expect.stringMatching(/^warning: --from \S+: line 3 is incomplete and was skipped$/m);
    expect(ended).toMatchObject({ code: 0, stderr });
    expect(ended.stdout).toMatch(/^basePath: \/v2$/m);
    expect(ended.stdout).toMatch(/^ {2}items: items$/m);
    expect((await probeText(toLine().trimEnd())).stdout).toMatch(/^teams +list +not read to the end$/m);
  });

  it('does not take a wrong signature for a key that may not list', async () => {
    const refused = toLine({ status: 401, body: { text: '{"message":"Invalid API signature"}' } });
    const ended = await probeText(`${refused}${toLine({ target: '/v2/connections' })}`);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^teams +list +unasked$/m) });
    expect(ended.stderr).not.toContain('not allowed to list');
  });

  const other = 'https://other.example.com';
  it.each<[what: string, text: string | Buffer, problem: string]>([
    ['no file of this kind', '{"a":1}\n', 'line 1 is not a recorded exchange'],
    ['another form', toLine() + toLine({ recorded: 2 }), 'line 2 is not a recorded exchange: recorded'],
    ['a damaged line', `${toLine()}${toLine().slice(9)}${toLine()}`, 'line 2 is not a recorded exchange'],
    ['two services', `${toLine()}\n${toLine({ service: other })}`, `line 3 is from ${other}, but the lines`],
    ['nothing', '', 'no recorded exchanges'],
    ['no call of the API', toLine({ target: '/v2/health' }), 'neither lists nor quotas'],
    ['bytes', Buffer.concat([Buffer.from(toLine()), Buffer.from([0xff, 0xfe, 10])]), 'not UTF-8 text'],
    ['a line without end', 'x'.repeat(5 * 1024 * 1024), 'line 1 is longer than 4 MiB'],
    ['text for a terminal', toLine({ service: '\u001b[2J' }), '\\u001b'],
  ])('refuses %s', async (_what, text, problem) => {
    const ended = await probeText(text);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(problem);
    expect(ended.stderr).not.toContain('\u001b');
  });

  it('refuses what cannot be read, waits for nobody to write into a FIFO, and takes no --try-basic', async () => {
    const run = (...args: string[]) => runCli(['probe', '--from', ...args], { env: emptyEnvironment() });
    const fifo = newPath();
    execFileSync('mkfifo', [fifo]);
    expect(await run(fifo)).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('not a regular file') },
    });
    expect(await run(newPath())).toMatchObject({ code: 2, stderr: expect.stringContaining('--from') });
    expect(await run(temporaryDirectory())).toMatchObject({ code: 2 });
    expect(await run('x', '--try-basic')).toMatchObject({ code: 2 });
  });
});

describe('a recording keeps the form of a foreign service, and no secret', () => {
  const secret = 'hunter2-hunter2';

  it('masks what no form knows, and keeps objects, lists and null', async () => {
    const { body } = await recordAnswer({
      items: [{ id: 'team_1', name: 'a', vault: { id: secret, name: secret }, tags: [secret], gone: null }],
      meta: { total_count: 1, token: secret, number: 4_111_111_111_111_111, next_cursor: secret },
      errors: [{ detail: `${secret} is at most 100`, pin: 1234 }],
      config: { total_count: 5, number: 5, items: [{ id: secret }] },
    });
    expect(body).not.toContain(secret);
    expect(JSON.parse(body)).toEqual({
      items: [{ id: 'team_1', name: 'a', vault: { '********': '********' }, tags: ['********'], gone: null }],
      meta: { total_count: 1, token: '********', number: '********', next_cursor: 'cursor-1' },
      errors: [{ detail: '******** 100', pin: '********' }],
      config: { total_count: '********', number: '********', items: ['********'] },
    });
  });

  it('shows of an error in plain text only small numbers', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    const refused = await recordAnswer(`${secret}: at most 100, not 123456`, headers, '/teams', 400);
    expect(refused.body).toBe('******** 100');
  });
});
