import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Recording } from '../../src/proxy/record/recording.js';
import { httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
import { temporaryDirectory } from '../support/run-cli.js';
import { proxyTo } from './support/start-proxy.js';

function newPath(): string {
  return join(temporaryDirectory(), 'calls.jsonl');
}

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
